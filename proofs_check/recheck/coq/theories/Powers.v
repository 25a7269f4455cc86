(** Powers to integers: of a product, of a power, and to a multiple of an exponent.

    They hold for every base, 0 too, as [/ 0 = 0]. *)

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

(** A power to a number is a product, or the inverse of one. *)
Ltac to_number := rewrite gpow_Z; first [reflexivity | (simpl; rewrite ?Rmult_1_r; reflexivity)].

(** The same integer as an exponent, written otherwise. *)
Ltac same_exponent :=
  apply f_equal; first [reflexivity | (apply f_equal; first [lia | ring]) | (push_IZR; ring)].

(** The integer part of a power of an integer to one that is not negative. *)
Lemma whole : forall (b n : Z), 0 <= IZR n -> IZR (zfloor (gpow (IZR b) (IZR n))) = gpow (IZR b) (IZR n).
Proof.
  intros b n H. apply le_IZR in H. rewrite gpow_Z.
  assert (E : powerRZ (IZR b) n = IZR (b ^ n)).
  { destruct n as [| n | n]; [reflexivity | | exfalso; lia].
    simpl powerRZ. rewrite pow_IZR. rewrite positive_nat_Z. reflexivity. }
  rewrite E. rewrite zfloor_IZR. reflexivity.
Qed.
