(** Inequalities on a box by interval arithmetic, for the claims that have a step by [ball].

    The library Interval computes here with floating-point numbers made of Coq's own integers: with
    those of the machine a proof would rest on what is assumed of them. *)

Require Import Reals.
From Interval Require Float.Specific_stdz Float.Specific_ops.
From Interval Require Tactic.

Module Floats := Interval.Float.Specific_ops.SpecificFloat Interval.Float.Specific_stdz.StdZRadix2.
Module Enclosures := Interval.Tactic.IntervalTactic Floats.
Import Enclosures.

(** On the whole box, else on parts of it. *)
Ltac enclosed :=
  first
  [ interval with (Tactic.i_prec 40)
  | match goal with x : R |- _ =>
      interval with (Tactic.i_prec 40, Tactic.i_bisect x, Tactic.i_depth 20)
    end ].
