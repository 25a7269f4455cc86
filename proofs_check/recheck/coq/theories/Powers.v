(** Integers: powers to them, which numbers are integers, and cases of them.

    Powers of a product, of a power, and to a multiple of an exponent hold for every base, 0 too, as
    [/ 0 = 0]. *)

Require Import Reals ZArith Lra Lia Psatz.
From Ropeproof Require Import Base.
Open Scope R_scope.

Lemma of_product : forall (x y : R) (n : Z), gpow (x * y) (IZR n) = gpow x (IZR n) * gpow y (IZR n).
Proof.
  intros x y [| n | n]; rewrite !gpow_Z; simpl;
    [ring | apply Rpow_mult_distr | rewrite Rpow_mult_distr; apply Rinv_mult].
Qed.

Lemma of_power : forall (x : R) (n m : Z), gpow (gpow x (IZR n)) (IZR m) = gpow x (IZR (n * m)).
Proof.
  intros x [| n | n] [| m | m]; rewrite !gpow_Z; simpl;
    rewrite ?pow1, ?Rinv_1, ?pow_inv, ?Rinv_inv, ?Pos2Nat.inj_mul, ?pow_mult; reflexivity.
Qed.

Lemma not_zero : forall (x : R) (n : Z), x <> 0 -> gpow x (IZR n) <> 0.
Proof. intros x n H. rewrite gpow_Z. apply powerRZ_NOR. exact H. Qed.

Lemma of_minus_one : forall n : Z, gpow (-1) (IZR n) = cos (PI * IZR n).
Proof.
  assert (S : forall n : Z, sin (PI * IZR n) = 0)
    by (intro n; apply sin_eq_0_1; exists n; apply Rmult_comm).
  assert (N : forall n : nat, (-1) ^ n = cos (PI * IZR (Z.of_nat n))).
  { induction n as [| n IH]; [rewrite Rmult_0_r, cos_0; reflexivity |].
    rewrite Nat2Z.inj_succ, succ_IZR, Rmult_plus_distr_l, Rmult_1_r, cos_plus, S, cos_PI, <- IH.
    simpl. ring. }
  intro n. rewrite gpow_Z. destruct n as [| n | n]; simpl powerRZ.
  - rewrite Rmult_0_r, cos_0. reflexivity.
  - rewrite N, positive_nat_Z. reflexivity.
  - rewrite <- pow_inv. replace (/ -1) with (-1) by field. rewrite N, positive_nat_Z.
    rewrite <- cos_neg. apply f_equal. change (Z.neg n) with (- Z.pos n)%Z. rewrite opp_IZR. ring.
Qed.

(** A power to a number is a product, or the inverse of one. *)
Ltac to_number := rewrite gpow_Z; first [reflexivity | (simpl; rewrite ?Rmult_1_r; reflexivity)].

(** The same integer as an exponent, written otherwise. *)
Ltac same_exponent :=
  apply f_equal; first [reflexivity | (apply f_equal; first [lia | ring]) | (push_IZR; ring)].

Lemma of_positive : forall x a b : R, 0 < x -> gpow (gpow x a) b = gpow x (a * b).
Proof.
  intros x a b H. rewrite (gpow_exp x a H), (gpow_exp x (a * b) H).
  rewrite gpow_exp by apply exp_pos. rewrite ln_exp. apply f_equal. ring.
Qed.

(** * Numbers that are their integer part *)

Lemma whole_number : forall n : Z, IZR (zfloor (IZR n)) = IZR n.
Proof. intro n. rewrite zfloor_IZR. reflexivity. Qed.

Lemma whole_plus : forall x y : R, IZR (zfloor x) = x -> IZR (zfloor y) = y ->
  IZR (zfloor (x + y)) = x + y.
Proof. intros x y Hx Hy. rewrite <- Hx, <- Hy, <- plus_IZR. apply whole_number. Qed.

Lemma whole_mult : forall x y : R, IZR (zfloor x) = x -> IZR (zfloor y) = y ->
  IZR (zfloor (x * y)) = x * y.
Proof. intros x y Hx Hy. rewrite <- Hx, <- Hy, <- mult_IZR. apply whole_number. Qed.

Lemma whole_sum : forall (lo hi : Z) (f : Z -> R), (forall i, IZR (zfloor (f i)) = f i) ->
  IZR (zfloor (zsum lo hi f)) = zsum lo hi f.
Proof.
  intros lo hi f H. unfold zsum. induction (Z.to_nat (hi - lo + 1)) as [| n IH]; simpl.
  - apply (whole_number 0).
  - apply whole_plus; [exact IH | apply H].
Qed.

Lemma whole_power : forall (x : R) (n : Z), IZR (zfloor x) = x -> 0 <= IZR n ->
  IZR (zfloor (gpow x (IZR n))) = gpow x (IZR n).
Proof.
  intros x n Hx H. apply le_IZR in H. rewrite gpow_Z. destruct n as [| n | n]; simpl powerRZ.
  - apply (whole_number 1).
  - induction (Pos.to_nat n) as [| k IH]; simpl; [apply (whole_number 1) |].
    apply whole_mult; assumption.
  - exfalso; lia.
Qed.

Lemma whole_abs_power : forall (x : R) (n : Z), IZR (zfloor x) = x ->
  IZR (zfloor (gpow x (Rabs (IZR n)))) = gpow x (Rabs (IZR n)).
Proof.
  intros x n Hx. rewrite <- abs_IZR. apply whole_power; [exact Hx | apply IZR_le; lia].
Qed.

Lemma cast_plus : forall (a b : Z) (x y : R), IZR a = x -> IZR b = y -> IZR (a + b) = x + y.
Proof. intros a b x y <- <-. apply plus_IZR. Qed.

Lemma cast_mult : forall (a b : Z) (x y : R), IZR a = x -> IZR b = y -> IZR (a * b) = x * y.
Proof. intros a b x y <- <-. apply mult_IZR. Qed.

(** An integer as it is written in [Z] and in [R], from its parts. *)
Ltac whole :=
  intros;
  repeat match goal with
  | |- IZR (zfloor (IZR _)) = _ => apply whole_number
  | |- IZR (zfloor (_ + _)) = _ => apply whole_plus
  | |- IZR (zfloor (_ * _)) = _ => apply whole_mult
  | |- IZR (zfloor (zsum _ _ _)) = _ => apply whole_sum; intros
  | |- IZR (zfloor (gpow _ (Rabs (IZR _)))) = _ => apply whole_abs_power
  | |- IZR (zfloor (gpow _ (IZR _))) = _ =>
    apply whole_power; [| first [assumption | lra | (push_IZR; lra)]]
  | |- IZR (_ + _) = _ => apply cast_plus
  | |- IZR (_ * _) = _ => apply cast_mult
  | |- IZR _ = IZR _ => reflexivity
  end.

(** * Integers with powers in them, as the bounds of sums have *)

Lemma power_0 : forall x : R, gpow x 0 = 1.
Proof. intro x. rewrite (gpow_Z x 0). reflexivity. Qed.

(** An absolute value of the same integer, written otherwise. *)
Ltac same_absolutes :=
  repeat match goal with
  | |- context [Rabs (IZR ?n)] =>
    match goal with
    | |- context [Rabs (IZR ?m)] =>
      lazymatch m with n => fail | _ => replace m with n by first [lia | ring] end
    end
  end.

(** Two integers with powers of integers in them are one: by what the powers are as real numbers. *)
Ltac same_integer :=
  same_absolutes;
  repeat match goal with
  | |- context [zfloor ?x] =>
    let z := fresh "z" in let K := fresh "K" in
    assert (K : IZR (zfloor x) = x) by (solve [whole]);
    set (z := zfloor x) in *; clearbody z
  end;
  apply eq_IZR; repeat rewrite ?plus_IZR, ?mult_IZR, ?opp_IZR, ?minus_IZR;
  repeat match goal with
  | K : IZR ?z = _ |- context [IZR ?z] => is_var z; rewrite K; clear K
  end;
  rewrite ?Rabs_R0, ?power_0, ?gpow_1;
  first
  [ reflexivity
  | lra
  | ring
  | match goal with K : gpow _ _ = _ |- _ => rewrite K; ring end ].

(** A combination of sums over ranges that are the same. *)
Ltac same_ranges :=
  repeat match goal with
  | |- zsum _ _ _ = zsum _ _ _ =>
    apply zsum_range; [first [zeq | same_integer] | first [zeq | same_integer] | intros; reflexivity]
  | |- ?a * _ = ?a * _ => apply f_equal
  | |- _ + _ = _ + _ => apply f_equal2
  end; reflexivity.

(** * Cases of integers *)

(** No case is left: the conditions that do not hold contradict what is known. *)
Ltac no_case :=
  exfalso;
  repeat match goal with
  | K : ~ (_ /\ _) |- _ => apply Classical_Prop.not_and_or in K; destruct K as [K | K]
  | K : ~ (_ < _) |- _ => apply Rnot_lt_le in K
  | K : ~ (_ <= _) |- _ => apply Rnot_le_lt in K
  | K : ~ (_ <> _) |- _ => apply Classical_Prop.NNPP in K
  end;
  first [congruence | lra | (to_Z; lia)].

(** What several facts state, each under a condition, where a disjunction says that one holds. *)
Ltac by_alternatives :=
  first
  [ match goal with
    | K : ?A -> _ |- _ =>
      match type of A with Prop => idtac end;
      solve [refine (K _); repeat match goal with H : _ /\ _ |- _ => destruct H end;
             repeat split; assumption]
    end
  | match goal with H : _ \/ _ |- _ => solve [destruct H as [H | H]; by_alternatives] end ].

(** What several facts state, each under a condition, where one of the conditions holds. *)
Ltac by_conditions :=
  match goal with
  | K : ?A -> _ |- _ =>
    match type of A with Prop => idtac end;
    let C := fresh in
    destruct (Classical_Prop.classic A) as [C | C];
    [ solve [specialize (K C); repeat match goal with H : _ /\ _ |- _ => destruct H end;
             repeat split; assumption]
    | clear K; by_conditions ]
  | _ => no_case
  end.
