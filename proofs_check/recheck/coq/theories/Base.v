(** What the exported claims are written in: real functions that are total, and finite sums.

    The values outside a function's domain are those of Coq's library where it has the function
    ([/ 0 = 0], [sqrt], [ln]); what it has not is defined here. Nothing here is assumed. *)

Require Import Reals ZArith Lra Lia Psatz List.
Open Scope R_scope.

(** * Functions *)

Definition zfloor (x : R) : Z := Int_part x.
Definition zsign (x : R) : Z := if Rlt_dec 0 x then 1%Z else if Rlt_dec x 0 then (-1)%Z else 0%Z.

(** A power to any exponent: a product for an integer, else [exp (e ln b)] for [0 < b], else 0. *)
Definition gpow (b e : R) : R :=
  if Req_EM_T e (IZR (zfloor e)) then powerRZ b (zfloor e)
  else if Rlt_dec 0 b then exp (e * ln b) else 0.

Lemma zfloor_bounds : forall x, IZR (zfloor x) <= x /\ x < IZR (zfloor x) + 1.
Proof.
  intro x. unfold zfloor. destruct (base_Int_part x) as [H1 H2]. lra.
Qed.

Lemma zfloor_unique : forall (x : R) (n : Z), IZR n <= x -> x < IZR n + 1 -> zfloor x = n.
Proof.
  intros x n H1 H2. destruct (zfloor_bounds x) as [H3 H4].
  assert (A : (n < zfloor x + 1)%Z) by (apply lt_IZR; rewrite plus_IZR; lra).
  assert (B : (zfloor x < n + 1)%Z) by (apply lt_IZR; rewrite plus_IZR; lra).
  lia.
Qed.

Lemma zfloor_IZR : forall n : Z, zfloor (IZR n) = n.
Proof. intro n. apply zfloor_unique; lra. Qed.

Lemma zfloor_whole : forall (x : R) (n : Z), x = IZR n -> zfloor x = n.
Proof. intros x n ->. apply zfloor_IZR. Qed.

Lemma gpow_Z : forall (b : R) (n : Z), gpow b (IZR n) = powerRZ b n.
Proof.
  intros b n. unfold gpow. rewrite zfloor_IZR.
  destruct (Req_EM_T (IZR n) (IZR n)) as [_ | H]; [reflexivity | contradiction].
Qed.

Lemma powerRZ_exp : forall (b : R) (n : Z), 0 < b -> powerRZ b n = exp (IZR n * ln b).
Proof.
  intros b n H. rewrite powerRZ_Rpower by exact H. reflexivity.
Qed.

Lemma gpow_exp : forall b e : R, 0 < b -> gpow b e = exp (e * ln b).
Proof.
  intros b e H. unfold gpow. destruct (Req_EM_T e (IZR (zfloor e))) as [E | _].
  - rewrite powerRZ_exp by exact H. rewrite <- E. reflexivity.
  - destruct (Rlt_dec 0 b) as [_ | N]; [reflexivity | contradiction].
Qed.

Lemma zsign_cases : forall x : R,
  (0 < x -> IZR (zsign x) = 1) /\ (x < 0 -> IZR (zsign x) = -1) /\ (x = 0 -> IZR (zsign x) = 0).
Proof.
  intro x. unfold zsign. destruct (Rlt_dec 0 x), (Rlt_dec x 0); repeat split; intros; lra.
Qed.

Lemma rabs_cases : forall x : R, (0 <= x /\ Rabs x = x) \/ (x < 0 /\ Rabs x = - x).
Proof.
  intro x. destruct (Rlt_dec x 0) as [H | H].
  - right. split; [exact H | apply Rabs_left; exact H].
  - left. split; [lra | apply Rabs_pos_eq; lra].
Qed.

Lemma rmax_cases : forall x y : R, (y <= x /\ Rmax x y = x) \/ (x < y /\ Rmax x y = y).
Proof.
  intros x y. destruct (Rlt_dec x y) as [H | H].
  - right. split; [exact H | apply Rmax_right; lra].
  - left. split; [lra | apply Rmax_left; lra].
Qed.

Lemma rmin_cases : forall x y : R, (x <= y /\ Rmin x y = x) \/ (y < x /\ Rmin x y = y).
Proof.
  intros x y. destruct (Rlt_dec y x) as [H | H].
  - right. split; [exact H | apply Rmin_right; lra].
  - left. split; [lra | apply Rmin_left; lra].
Qed.

Lemma sqrt_facts : forall x : R, 0 <= sqrt x /\ (0 <= x -> sqrt x * sqrt x = x).
Proof. intro x. split; [apply sqrt_pos | intro H; apply sqrt_sqrt; exact H]. Qed.

Lemma inv_fact : forall x : R, x <> 0 -> / x * x = 1.
Proof. intros x H. apply Rinv_l. exact H. Qed.

Lemma circle : forall x : R, cos x * cos x + sin x * sin x = 1.
Proof. intro x. generalize (sin2_cos2 x). unfold Rsqr. lra. Qed.

Lemma cos_within : forall x : R, -1 <= cos x <= 1.
Proof. intro x. apply COS_bound. Qed.

Lemma sin_within : forall x : R, -1 <= sin x <= 1.
Proof. intro x. apply SIN_bound. Qed.

Lemma exp_times_neg : forall x : R, exp (- x) * exp x = 1.
Proof. intro x. rewrite <- exp_plus. replace (- x + x) with 0 by ring. apply exp_0. Qed.

Lemma pick_R : exists x : R, True.
Proof. exists 0. exact I. Qed.
Lemma pick_Z : exists n : Z, True.
Proof. exists 0%Z. exact I. Qed.

(** * Finite sums over a range of integers *)

Fixpoint nsum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S m => nsum m f + f m end.

(** The sum of [f] over [lo <= i <= hi]; 0 if there is no such integer. *)
Definition zsum (lo hi : Z) (f : Z -> R) : R :=
  nsum (Z.to_nat (hi - lo + 1)) (fun i => f (lo + Z.of_nat i)%Z).

Lemma nsum_ext : forall n f g, (forall i, (i < n)%nat -> f i = g i) -> nsum n f = nsum n g.
Proof.
  induction n as [| n IH]; intros f g H; simpl; [reflexivity |].
  rewrite (IH f g) by (intros; apply H; lia). rewrite H by lia. reflexivity.
Qed.

Lemma nsum_le : forall n f g, (forall i, (i < n)%nat -> f i <= g i) -> nsum n f <= nsum n g.
Proof.
  induction n as [| n IH]; intros f g H; simpl; [lra |].
  assert (nsum n f <= nsum n g) by (apply IH; intros; apply H; lia).
  assert (f n <= g n) by (apply H; lia). lra.
Qed.

Lemma nsum_plus : forall n f g, nsum n (fun i => f i + g i) = nsum n f + nsum n g.
Proof. induction n as [| n IH]; intros; simpl; [ring |]. rewrite IH. ring. Qed.

Lemma nsum_scal : forall n c f, nsum n (fun i => c * f i) = c * nsum n f.
Proof. induction n as [| n IH]; intros; simpl; [ring |]. rewrite IH. ring. Qed.

Lemma nsum_0 : forall n, nsum n (fun _ => 0) = 0.
Proof. induction n as [| n IH]; simpl; [reflexivity | rewrite IH; ring]. Qed.

Lemma nsum_add : forall m n f, nsum (m + n) f = nsum m f + nsum n (fun i => f (m + i)%nat).
Proof.
  intros m n; induction n as [| n IH]; intro f; simpl.
  - rewrite Nat.add_0_r. ring.
  - rewrite Nat.add_succ_r. simpl. rewrite IH. ring.
Qed.

Lemma nsum_rev : forall n f, nsum n f = nsum n (fun i => f (n - 1 - i)%nat).
Proof.
  induction n as [| n IH]; intro f; [reflexivity |].
  transitivity (nsum n f + f n); [reflexivity |].
  transitivity (nsum (1 + n) (fun i => f (S n - 1 - i)%nat)); [| reflexivity].
  rewrite nsum_add. rewrite (IH f).
  rewrite (nsum_ext n (fun i => f (S n - 1 - (1 + i))%nat) (fun i => f (n - 1 - i)%nat)).
  - simpl. replace (n - 0 - 0)%nat with n by lia. ring.
  - intros i Hi. f_equal. lia.
Qed.

Lemma nsum_swap : forall m n (f : nat -> nat -> R),
  nsum m (fun i => nsum n (fun j => f i j)) = nsum n (fun j => nsum m (fun i => f i j)).
Proof.
  induction m as [| m IH]; intros; simpl.
  - rewrite nsum_0. reflexivity.
  - rewrite IH. rewrite <- nsum_plus. reflexivity.
Qed.

Lemma zsum_ext : forall lo hi f g,
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> f i = g i) -> zsum lo hi f = zsum lo hi g.
Proof. intros. apply nsum_ext. intros i Hi. apply H; lia. Qed.

Lemma zsum_range : forall lo hi lo' hi' f g, lo = lo' -> hi = hi' ->
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> f i = g i) -> zsum lo hi f = zsum lo' hi' g.
Proof. intros lo hi lo' hi' f g -> -> H. apply zsum_ext. exact H. Qed.

Lemma zsum_le : forall lo hi f g,
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> f i <= g i) -> zsum lo hi f <= zsum lo hi g.
Proof. intros. apply nsum_le. intros i Hi. apply H; lia. Qed.

Lemma zsum_plus : forall lo hi f g,
  zsum lo hi (fun i => f i + g i) = zsum lo hi f + zsum lo hi g.
Proof. intros. apply nsum_plus. Qed.

Lemma zsum_scal : forall lo hi c f, zsum lo hi (fun i => c * f i) = c * zsum lo hi f.
Proof. intros. apply nsum_scal. Qed.

Lemma zsum_zero : forall lo hi, zsum lo hi (fun _ => 0) = 0.
Proof. intros. apply nsum_0. Qed.

Lemma zsum_const : forall lo hi c, zsum lo hi (fun _ => c) = Rmax 0 (IZR hi - IZR lo + 1) * c.
Proof.
  intros. unfold zsum.
  assert (A : forall n, nsum n (fun _ => c) = INR n * c).
  { induction n as [| n IH]; [simpl; ring |].
    rewrite S_INR. change (nsum (S n) (fun _ => c)) with (nsum n (fun _ => c) + c). rewrite IH. ring. }
  rewrite A. f_equal. destruct (Z_le_gt_dec 0 (hi - lo + 1)) as [H | H].
  - rewrite INR_IZR_INZ, Z2Nat.id by lia. rewrite plus_IZR, minus_IZR. symmetry.
    apply Rmax_right. apply IZR_le in H. rewrite plus_IZR, minus_IZR in H. lra.
  - replace (Z.to_nat (hi - lo + 1)) with 0%nat by lia. simpl. symmetry. apply Rmax_left.
    assert (B : (hi - lo + 1 <= 0)%Z) by lia. apply IZR_le in B.
    rewrite plus_IZR, minus_IZR in B. lra.
Qed.

Lemma zsum_0 : forall lo hi f,
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> f i = 0) -> zsum lo hi f = 0.
Proof. intros. rewrite (zsum_ext lo hi f (fun _ => 0)) by assumption. apply zsum_zero. Qed.

Lemma zsum_nonneg : forall lo hi f,
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> 0 <= f i) -> 0 <= zsum lo hi f.
Proof. intros. rewrite <- (zsum_zero lo hi). apply zsum_le. assumption. Qed.

Lemma zsum_nonpos : forall lo hi f,
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> f i <= 0) -> zsum lo hi f <= 0.
Proof. intros. rewrite <- (zsum_zero lo hi). apply zsum_le. assumption. Qed.

Lemma zsum_lt : forall lo hi f g, (lo <= hi)%Z ->
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> f i < g i) -> zsum lo hi f < zsum lo hi g.
Proof.
  intros lo hi f g L H. unfold zsum.
  replace (Z.to_nat (hi - lo + 1)) with (S (Z.to_nat (hi - lo))) by lia. simpl.
  assert (A : nsum (Z.to_nat (hi - lo)) (fun i => f (lo + Z.of_nat i)%Z)
              <= nsum (Z.to_nat (hi - lo)) (fun i => g (lo + Z.of_nat i)%Z)).
  { apply nsum_le. intros i Hi. apply Rlt_le. apply H; lia. }
  assert (B : f (lo + Z.of_nat (Z.to_nat (hi - lo)))%Z < g (lo + Z.of_nat (Z.to_nat (hi - lo)))%Z).
  { apply H; lia. }
  lra.
Qed.

Lemma zsum_pos : forall lo hi f, (lo <= hi)%Z ->
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> 0 < f i) -> 0 < zsum lo hi f.
Proof. intros. rewrite <- (zsum_zero lo hi). apply zsum_lt; assumption. Qed.

Lemma zsum_neg : forall lo hi f, (lo <= hi)%Z ->
  (forall i, (lo <= i)%Z -> (i <= hi)%Z -> f i < 0) -> zsum lo hi f < 0.
Proof. intros. rewrite <- (zsum_zero lo hi). apply zsum_lt; assumption. Qed.

Lemma zsum_empty : forall lo hi f, (hi < lo)%Z -> zsum lo hi f = 0.
Proof. intros. unfold zsum. replace (Z.to_nat (hi - lo + 1)) with 0%nat by lia. reflexivity. Qed.

Lemma zsum_split : forall lo mid hi f, (lo <= mid + 1)%Z -> (mid <= hi)%Z ->
  zsum lo hi f = zsum lo mid f + zsum (mid + 1) hi f.
Proof.
  intros lo mid hi f H1 H2. unfold zsum.
  replace (Z.to_nat (hi - lo + 1))
    with (Z.to_nat (mid - lo + 1) + Z.to_nat (hi - (mid + 1) + 1))%nat by lia.
  rewrite nsum_add. f_equal. apply nsum_ext. intros i Hi. f_equal. lia.
Qed.

Lemma zsum_first : forall lo hi f, (lo <= hi)%Z -> zsum lo hi f = f lo + zsum (lo + 1) hi f.
Proof.
  intros. rewrite (zsum_split lo lo hi) by lia. f_equal. unfold zsum.
  replace (Z.to_nat (lo - lo + 1)) with 1%nat by lia. simpl. rewrite Z.add_0_r. ring.
Qed.

Lemma zsum_shift : forall d lo hi f, zsum lo hi f = zsum (lo - d) (hi - d) (fun i => f (i + d)%Z).
Proof.
  intros. unfold zsum. replace (hi - d - (lo - d) + 1)%Z with (hi - lo + 1)%Z by lia.
  apply nsum_ext. intros. f_equal. lia.
Qed.

Lemma zsum_reindex : forall lo hi f, zsum lo hi f = zsum lo hi (fun i => f (lo + hi - i)%Z).
Proof.
  intros. unfold zsum. rewrite nsum_rev. apply nsum_ext. intros i Hi. f_equal. lia.
Qed.

Lemma zsum_swap : forall lo hi lo' hi' (f : Z -> Z -> R),
  zsum lo hi (fun i => zsum lo' hi' (fun j => f i j))
  = zsum lo' hi' (fun j => zsum lo hi (fun i => f i j)).
Proof. intros. unfold zsum. apply nsum_swap. Qed.

(** * Induction over the integers from a start *)

Lemma Z_from : forall (start : Z) (P : Z -> Prop), P start ->
  (forall n : Z, (start <= n)%Z -> P n -> P (n + 1)%Z) -> forall n : Z, (start <= n)%Z -> P n.
Proof.
  intros start P base step n H.
  replace n with (start + Z.of_nat (Z.to_nat (n - start)))%Z by lia.
  induction (Z.to_nat (n - start)) as [| k IH].
  - replace (start + Z.of_nat 0)%Z with start by lia. exact base.
  - replace (start + Z.of_nat (S k))%Z with (start + Z.of_nat k + 1)%Z by lia.
    apply step; [lia | exact IH].
Qed.

(** * The mean value theorem *)

Lemma d_plus : forall (f g : R -> R) (x a b : R), derivable_pt_lim f x a ->
  derivable_pt_lim g x b -> derivable_pt_lim (fun y => f y + g y) x (a + b).
Proof. intros. apply (derivable_pt_lim_plus f g); assumption. Qed.

Lemma d_mult : forall (f g : R -> R) (x a b : R), derivable_pt_lim f x a ->
  derivable_pt_lim g x b -> derivable_pt_lim (fun y => f y * g y) x (a * g x + f x * b).
Proof. intros. apply (derivable_pt_lim_mult f g); assumption. Qed.

Lemma d_const : forall a x : R, derivable_pt_lim (fun _ => a) x 0.
Proof. intros. apply (derivable_pt_lim_const a). Qed.

Lemma d_same : forall x : R, derivable_pt_lim (fun y => y) x 1.
Proof. exact derivable_pt_lim_id. Qed.

Lemma d_of : forall (g g' f : R -> R) (x a : R), derivable_pt_lim g (f x) (g' (f x)) ->
  derivable_pt_lim f x a -> derivable_pt_lim (fun y => g (f y)) x (g' (f x) * a).
Proof. intros. apply (derivable_pt_lim_comp f g); assumption. Qed.

Lemma d_same_slope : forall (f : R -> R) (x a b : R), derivable_pt_lim f x a -> a = b ->
  derivable_pt_lim f x b.
Proof. intros f x a b H <-. exact H. Qed.

Lemma d_cos : forall (f : R -> R) (x a : R), derivable_pt_lim f x a ->
  derivable_pt_lim (fun y => cos (f y)) x ((-1) * sin (f x) * a).
Proof.
  intros f x a H. replace ((-1) * sin (f x) * a) with (- sin (f x) * a) by ring.
  apply (d_of cos (fun y => - sin y)); [apply derivable_pt_lim_cos | exact H].
Qed.

Lemma d_sin : forall (f : R -> R) (x a : R), derivable_pt_lim f x a ->
  derivable_pt_lim (fun y => sin (f y)) x (cos (f x) * a).
Proof. intros. apply (d_of sin cos); [apply derivable_pt_lim_sin | assumption]. Qed.

Lemma d_exp : forall (f : R -> R) (x a : R), derivable_pt_lim f x a ->
  derivable_pt_lim (fun y => exp (f y)) x (exp (f x) * a).
Proof. intros. apply (d_of exp exp); [apply derivable_pt_lim_exp | assumption]. Qed.

Lemma d_ln : forall (f : R -> R) (x a : R), 0 < f x -> derivable_pt_lim f x a ->
  derivable_pt_lim (fun y => ln (f y)) x (/ f x * a).
Proof. intros. apply (d_of ln Rinv); [apply derivable_pt_lim_ln; assumption | assumption]. Qed.

Lemma d_sqrt : forall (f : R -> R) (x a : R), 0 < f x -> derivable_pt_lim f x a ->
  derivable_pt_lim (fun y => sqrt (f y)) x (/ (2 * sqrt (f x)) * a).
Proof.
  intros. apply (d_of sqrt (fun y => / (2 * sqrt y))); [| assumption].
  apply derivable_pt_lim_sqrt. assumption.
Qed.

Lemma d_pow : forall (f : R -> R) (x a r : R) (n : nat), INR (S n) = r ->
  derivable_pt_lim f x a -> derivable_pt_lim (fun y => f y ^ S n) x (r * f x ^ n * a).
Proof.
  intros f x a r n <- H. apply (d_of (fun y => y ^ S n) (fun y => INR (S n) * y ^ n)); [| exact H].
  apply (derivable_pt_lim_pow _ (S n)).
Qed.

Lemma d_inv : forall (f : R -> R) (x a : R), f x <> 0 -> derivable_pt_lim f x a ->
  derivable_pt_lim (fun y => / f y) x ((-1) * a * (/ f x) ^ 2).
Proof.
  intros f x a N H. assert (D : derivable_pt_lim (fun y => / y) (f x) (- (/ f x) ^ 2)).
  { replace (- (/ f x) ^ 2) with ((0 * f x - 1 * 1) / Rsqr (f x)) by (unfold Rsqr; field; exact N).
    intros eps P. destruct (derivable_pt_lim_div (fun _ => 1) (fun y => y) (f x) 0 1
      (d_const 1 (f x)) (d_same (f x)) N eps P) as [delta B].
    exists delta. intros h H1 H2. generalize (B h H1 H2). unfold div_fct, Rdiv. rewrite !Rmult_1_l.
    exact (fun A => A). }
  replace ((-1) * a * (/ f x) ^ 2) with (- (/ f x) ^ 2 * a) by ring.
  apply (d_of Rinv (fun y => - (/ y) ^ 2)); assumption.
Qed.

Lemma between : forall (f f' : R -> R) (a b : R), a < b ->
  (forall c, a <= c -> c <= b -> derivable_pt_lim f c (f' c)) ->
  exists c, a < c /\ c < b /\ f b - f a = f' c * (b - a).
Proof.
  intros f f' a b L D. destruct (MVT_cor2 f f' a b) as [c [E [A B]]]; [exact L | intros; apply D; lra |].
  exists c. repeat split; assumption.
Qed.

(** From the sign at one end, and that of the derivative on the way to x. *)
Lemma rises_right : forall (f f' : R -> R) (e x : R), e <= x ->
  (forall c, e <= c -> c <= x -> derivable_pt_lim f c (f' c)) ->
  (forall c, e < c -> c < x -> 0 <= f' c) -> f e <= f x.
Proof.
  intros f f' e x L D S. destruct (Req_dec e x) as [-> | N]; [lra |].
  destruct (between f f' e x) as [c [A [B E]]]; [lra | exact D |].
  assert (0 <= f' c * (x - e)) by (apply Rmult_le_pos; [apply S; assumption | lra]). lra.
Qed.

Lemma rises_right_strictly : forall (f f' : R -> R) (e x : R), e < x ->
  (forall c, e <= c -> c <= x -> derivable_pt_lim f c (f' c)) ->
  (forall c, e < c -> c < x -> 0 < f' c) -> f e < f x.
Proof.
  intros f f' e x L D S. destruct (between f f' e x) as [c [A [B E]]]; [lra | exact D |].
  assert (0 < f' c * (x - e)) by (apply Rmult_lt_0_compat; [apply S; assumption | lra]). lra.
Qed.

Lemma rises_left : forall (f f' : R -> R) (e x : R), x <= e ->
  (forall c, x <= c -> c <= e -> derivable_pt_lim f c (f' c)) ->
  (forall c, x < c -> c < e -> 0 <= (-1) * f' c) -> f e <= f x.
Proof.
  intros f f' e x L D S. destruct (Req_dec e x) as [-> | N]; [lra |].
  destruct (between f f' x e) as [c [A [B E]]]; [lra | exact D |].
  assert (T := S c A B). assert (0 <= (- f' c) * (e - x)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma rises_left_strictly : forall (f f' : R -> R) (e x : R), x < e ->
  (forall c, x <= c -> c <= e -> derivable_pt_lim f c (f' c)) ->
  (forall c, x < c -> c < e -> 0 < (-1) * f' c) -> f e < f x.
Proof.
  intros f f' e x L D S. destruct (between f f' x e) as [c [A [B E]]]; [lra | exact D |].
  assert (T := S c A B). assert (0 < (- f' c) * (e - x)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

(** * Pi, and signs under cosine and sine *)

Lemma PI_within : 314159 / 100000 < PI < 3927 / 1250.
Proof.
  destruct (PI_2_3_7_ineq 3) as [L U].
  cbv -[Rlt Rle Rplus Rmult Rinv Ropp Rminus Rdiv IZR PI] in L, U. lra.
Qed.

Lemma ncos : forall x, cos ((-1) * x) = cos x.
Proof. intro x. replace ((-1) * x) with (- x) by ring. apply cos_neg. Qed.
Lemma nsin : forall x, sin ((-1) * x) = - sin x.
Proof. intro x. replace ((-1) * x) with (- x) by ring. apply sin_neg. Qed.

Lemma zsum_count : forall top, zsum 0 top (fun _ => 1) = Rmax 0 (IZR (top + 1)).
Proof.
  intro top. rewrite zsum_const. replace (IZR top - IZR 0 + 1) with (IZR (top + 1)).
  - ring.
  - rewrite plus_IZR. simpl. ring.
Qed.

(** * Tactics of exported proofs *)

Require Import Setoid Morphisms.

#[global] Instance zsum_proper (lo hi : Z) :
  Proper (pointwise_relation Z eq ==> eq) (zsum lo hi).
Proof. intros f g H. apply zsum_ext. intros i _ _. apply H. Qed.
#[global] Instance zsum_proper_bounds :
  Proper (eq ==> eq ==> pointwise_relation Z eq ==> eq) zsum.
Proof. intros lo ? <- hi ? <- f g H. apply zsum_proper. exact H. Qed.

(** What is said of real numbers that are integers, said of their sums and products. *)
Ltac push_IZR := repeat progress rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR in *.

Ltac known_equations :=
  repeat match goal with
  | H : ?x = _ |- _ => is_var x; subst x
  end.

(** Integers: relations between whole terms become relations in [Z]. *)
Ltac to_Z :=
  repeat match goal with
  | H : IZR _ <= IZR _ |- _ => apply le_IZR in H
  | H : IZR _ < IZR _ |- _ => apply lt_IZR in H
  | H : IZR _ = IZR _ |- _ => apply eq_IZR in H
  | H : IZR ?a <> IZR ?b |- _ => assert (a <> b) by (intro; apply H; congruence); clear H
  | |- IZR _ <= IZR _ => apply IZR_le
  | |- IZR _ < IZR _ => apply IZR_lt
  | |- IZR _ = IZR _ => apply f_equal
  | |- IZR _ <> IZR _ => apply not_eq_sym; apply not_eq_sym; intro; (* as it is *) idtac
  end.

Ltac zeq := first [reflexivity | lia | (apply eq_IZR; push_IZR; first [reflexivity | lra | nra | ring])].

Ltac side := repeat split; first [assumption | lra | nra].

Ltac split_cases :=
  repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : _ \/ _ |- _ => destruct H
  end.

Ltac use_known :=
  repeat match goal with
  | H : ?P -> _ |- _ =>
    match type of P with Prop => specialize (H ltac:(first [assumption | lra])) end
  end.

Ltac close_one :=
  first
  [ assumption
  | reflexivity
  | lra
  | (push_IZR; first [lra | ring | (field; side)])
  | lia
  | timeout 5 nra ].

(** An inverse of which the product with something is known to be 1. *)
Lemma inverse_is : forall t u : R, t * u = 1 -> / t = u.
Proof.
  intros t u H. assert (N : t <> 0) by (intro E; rewrite E in H; lra).
  apply (Rmult_eq_reg_l t); [rewrite Rinv_r by exact N; lra | exact N].
Qed.
Lemma inverse_is' : forall t u : R, u * t = 1 -> / t = u.
Proof. intros t u H. apply inverse_is. rewrite Rmult_comm. exact H. Qed.
Ltac known_inverses :=
  rewrite <- ?pow_inv;
  repeat match goal with
  | K : ?t * ?u = 1 |- context [Rinv ?t] => rewrite (inverse_is t u K)
  | K : ?u * ?t = 1 |- context [Rinv ?t] => rewrite (inverse_is' t u K)
  end.

Ltac arith :=
  intros; known_equations;
  first
  [ assumption
  | ring
  | lra
  | (field; side)
  | (push_IZR; lra)
  | (to_Z; lia)
  | (push_IZR; ring)
  | (push_IZR; field; side)
  | (known_inverses; push_IZR; ring)
  | (repeat split; first [assumption | lra | timeout 2 (push_IZR; nra)])
  | timeout 4 (push_IZR; nra)
  | (use_known; split_cases; known_equations; push_IZR; repeat split; close_one)
  | (use_known; split_cases; known_equations; push_IZR; intuition lra)
  | (to_Z; split_cases; nia)
  | (split_cases; known_equations; push_IZR; timeout 5 (intuition nra)) ].

Ltac gather_sums :=
  repeat rewrite zsum_plus; repeat rewrite zsum_scal; rewrite ?zsum_count.

Ltac same_ranges :=
  first
  [ reflexivity
  | (repeat
       match goal with
       | |- zsum _ _ _ = zsum _ _ _ => apply zsum_range; [zeq | zeq | intros; reflexivity]
       | |- ?a * _ = ?a * _ => apply f_equal
       | |- _ + _ = _ + _ => apply f_equal2
       end; reflexivity)
  | ring ].

(** An instance: an integer that was put for a parameter is itself. *)
Lemma gpow_1 : forall b : R, gpow b 1 = b.
Proof. intro b. rewrite (gpow_Z b 1). simpl. ring. Qed.
Ltac floors :=
  try (rewrite_strat (bottomup (terms zfloor_IZR)));
  repeat match goal with |- context [zfloor (IZR _)] => setoid_rewrite zfloor_IZR end.
Ltac tidy H :=
  cbv beta in H; try (rewrite_strat (bottomup (terms zfloor_IZR gpow_1)) in H);
  repeat match type of H with context [zfloor (IZR _)] => setoid_rewrite zfloor_IZR in H end;
  repeat match type of H with context [gpow _ 1] => setoid_rewrite gpow_1 in H end.

(** An absolute value of the opposite, an extreme of the same two in the other order. *)
Lemma rabs_turned : forall x y : R, (-1) * x = y -> Rabs x = Rabs y.
Proof. intros x y <-. replace (-1 * x) with (- x) by ring. symmetry. apply Rabs_Ropp. Qed.
Lemma rabs_turned_Z : forall (n : Z) (y : R), IZR ((-1) * n) = y -> Rabs (IZR n) = Rabs y.
Proof. intros n y <-. rewrite mult_IZR. apply rabs_turned. reflexivity. Qed.
Lemma rmax_turned : forall a b c d : R, b = c -> a = d -> Rmax a b = Rmax c d.
Proof. intros a b c d -> ->. apply Rmax_comm. Qed.
Lemma rmin_turned : forall a b c d : R, b = c -> a = d -> Rmin a b = Rmin c d.
Proof. intros a b c d -> ->. apply Rmin_comm. Qed.

(** An inverse of a product as a product of inverses. *)
Ltac inverses_of_reals :=
  rewrite ?Rinv_mult; rewrite <- ?pow_inv; rewrite ?Rinv_inv;
  repeat match goal with
  | |- context [Rinv ?x] =>
    match x with IZR _ => fail 1 | Rdiv (IZR _) (IZR _) => fail 1 | _ => idtac end;
    let u := fresh in generalize (Rinv x); intro u
  end;
  first [reflexivity | ring | (field; lra) | field | lra].
Ltac inverses :=
  first
  [ inverses_of_reals
  | (rewrite ?mult_IZR, ?Rinv_mult;
     repeat match goal with
     | |- context [Rinv ?x] =>
       match x with IZR (Zpos _) => fail 1 | IZR (Zneg _) => fail 1 | _ => idtac end;
       let u := fresh in generalize (Rinv x); intro u
     end; first [reflexivity | ring | field]) ].

(** The same relation between equal sides. *)
Lemma same_sides : forall (Q : R -> R -> Prop) (a b c d : R), a = b -> c = d -> Q a c -> Q b d.
Proof. intros Q a b c d <- <- H. exact H. Qed.

(** A fact as it is printed, where an integer was put for a real number, also under a binder. *)
Ltac push_under H :=
  repeat (rewrite_strat (bottomup (terms plus_IZR mult_IZR)));
  repeat (rewrite_strat (bottomup (terms plus_IZR mult_IZR)) in H).
Ltac restated H := first [exact H | (push_IZR; exact H) | (push_under H; exact H)].

(** A derivative, as it was found and as it is written. *)
Ltac same_slope :=
  cbv beta; first [reflexivity | (push_IZR; reflexivity) | ring | (push_IZR; ring)].

(** A product of facts that are there, or a multiple of an equation. *)
Ltac mult :=
  first
  [ (apply Rmult_lt_0_compat; lra)
  | (apply Rmult_le_pos; lra)
  | (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra])
  | (apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra])
  | (repeat apply Rmult_lt_0_compat; lra)
  | apply Rle_0_sqr
  | (apply Rmult_le_pos; [lra | apply Rle_0_sqr])
  | (apply Rmult_le_pos; apply Rmult_le_pos; lra)
  | match goal with |- ?p * _ = 0 => let E := fresh in assert (E : p = 0) by lra; rewrite E; ring end ].

Lemma rabs_cases' : forall x : R, (0 <= x /\ Rabs x = x) \/ (x < 0 /\ (-1) * Rabs x = x).
Proof. intro x. destruct (rabs_cases x) as [[H E] | [H E]]; [left | right]; split; lra. Qed.

Lemma circle' : forall x : R, (cos x * cos x) + (sin x * sin x) = 1.
Proof. exact circle. Qed.

Ltac subst_by H := first [match type of H with ?x = _ => subst x end | idtac].

Ltac same_polynomial := first [reflexivity | ring | (push_IZR; ring) | (push_IZR; field) | field | arith].

Ltac quick :=
  first
  [ assumption
  | lra
  | (push_IZR; lra)
  | (to_Z; lia)
  | apply pow2_ge_0
  | match goal with |- _ = _ => first [ring | (push_IZR; ring) | (field; side) | (push_IZR; field; side)] end ].

Ltac tight H a b :=
  let L := fresh in
  assert (L : (a < b)%Z) by (apply lt_IZR; push_IZR; lra);
  apply Zlt_le_succ in L; apply IZR_le in L; unfold Z.succ in L; push_IZR; lra.
