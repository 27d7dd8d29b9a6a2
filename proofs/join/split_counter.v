(** * The split counter: exactly one strand continues after a join, and all others have ended by then

    The counter of a frame starts at [unsplit]. A child that ends after its parent's continuation was stolen subtracts 1. The join subtracts the
    difference between [unsplit] and the number of steals, which it knows alone, because it runs the continuation that was stolen last. The strand that
    brings the counter to 0 continues (src/coro/join.cpp). This file considers every interleaving of the steals, the ends and the join, under sequential
    consistency; weak memory is left to the models (tests/model). *)

From Coq Require Import ZArith Lia Bool.
Local Open Scope Z_scope.

(** [winners] counts the strands that found the counter at 0 after their subtraction. *)
Record state := { counter : Z; steals : Z; ended : Z; joined : bool; winners : Z }.

Section Protocol.
  Variable unsplit : Z.

  Definition at_begin : state := {| counter := unsplit; steals := 0; ended := 0; joined := false; winners := 0 |}.

  (** A strand subtracts, and wins if the counter is 0 afterwards. *)
  Definition won (value : Z) : Z := if Z.eqb value 0 then 1 else 0.

  Inductive step : state -> state -> Prop :=
  | steal s : joined s = false -> steals s + 1 < unsplit ->
      step s {| counter := counter s; steals := steals s + 1; ended := ended s; joined := false; winners := winners s |}
  | child_ends s : ended s < steals s ->
      step s {| counter := counter s - 1; steals := steals s; ended := ended s + 1; joined := joined s;
                winners := winners s + won (counter s - 1) |}
  | join s : joined s = false ->
      step s {| counter := counter s - (unsplit - steals s); steals := steals s; ended := ended s; joined := true;
                winners := winners s + won (counter s - (unsplit - steals s)) |}.

  Inductive reachable : state -> Prop :=
  | reachable_at_begin : 0 < unsplit -> reachable at_begin
  | reachable_after s s' : reachable s -> step s s' -> reachable s'.

  Definition is_complete (s : state) : bool := joined s && Z.eqb (ended s) (steals s).

  (** ** The invariant: the counter is what is missing, and nobody has won before nothing was missing *)
  Definition consistent (s : state) : Prop :=
    0 <= ended s <= steals s /\ steals s < unsplit /\
    counter s = (if joined s then steals s - ended s else unsplit - ended s) /\
    winners s = (if is_complete s then 1 else 0).

  Lemma step_keeps_consistent s s' : step s s' -> consistent s -> consistent s'.
  Proof.
    unfold consistent, is_complete. intros H (E & S & C & W).
    destruct H as [s J B | s L | s J]; unfold won; cbn [counter steals ended joined winners].
    - rewrite J in *. simpl in *. repeat split; lia.
    - revert C W. destruct (joined s); simpl; intros C W.
      + destruct (Z.eqb_spec (ended s) (steals s)), (Z.eqb_spec (counter s - 1) 0), (Z.eqb_spec (ended s + 1) (steals s)); repeat split; lia.
      + destruct (Z.eqb_spec (counter s - 1) 0); repeat split; lia.
    - rewrite J in *. simpl in *.
      destruct (Z.eqb_spec (counter s - (unsplit - steals s)) 0), (Z.eqb_spec (ended s) (steals s)); repeat split; lia.
  Qed.

  Lemma reachable_is_consistent s : reachable s -> consistent s.
  Proof.
    induction 1 as [P | s s' _ IH H]; [| eauto using step_keeps_consistent].
    unfold consistent, is_complete, at_begin; simpl. repeat split; lia.
  Qed.

  (** ** The theorems *)

  Theorem at_most_one_strand_continues s : reachable s -> winners s <= 1.
  Proof. intros H. apply reachable_is_consistent in H. destruct H as (_ & _ & _ & ->). destruct (is_complete s); lia. Qed.

  (** A strand continues only when the join was reached and all children have ended. *)
  Theorem a_strand_continues_when_all_have_ended s : reachable s -> winners s = 1 <-> (joined s = true /\ ended s = steals s).
  Proof.
    intros H. apply reachable_is_consistent in H. destruct H as (_ & _ & _ & ->). unfold is_complete.
    destruct (joined s), (Z.eqb_spec (ended s) (steals s)); simpl; intuition (try lia; try discriminate).
  Qed.
End Protocol.
