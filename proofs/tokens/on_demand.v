(** * Promotion on demand, the default: t / beat + cap promotions at most

    A worker has [cap - deficit] tokens at the start, gets one for each beat of its run time, and keeps at most [cap]. A promotion at a fork needs a
    token, and one by a signal may borrow down to [- deficit]. The beat grows while stolen tasks are short. Claim: a worker that ran for t has promoted
    at most t / period + cap records; with the default, t / 16 µs + 30. The machine follows src/sched/token_bucket.hpp. *)

From Coq Require Import ZArith Lia.
Local Open Scope Z_scope.

Record state := { tokens : Z; unspent : Z; ran : Z; beat : Z; promotions : Z }.

Section Machine.
  Variables (period cap deficit : Z).
  Hypothesis period_positive : 0 < period.
  Hypothesis deficit_in_cap : 0 <= deficit <= cap.

  Definition at_begin : state := {| tokens := cap - deficit; unspent := 0; ran := 0; beat := period; promotions := 0 |}.

  Inductive step : state -> state -> Prop :=
  | runs s t : 0 <= t ->
      step s {| tokens := Z.min cap (tokens s + (unspent s + t) / beat s);
                unspent := (unspent s + t) mod beat s;
                ran := ran s + t; beat := beat s; promotions := promotions s |}
  | promotes_at_fork s : 0 < tokens s ->
      step s {| tokens := tokens s - 1; unspent := unspent s; ran := ran s; beat := beat s; promotions := promotions s + 1 |}
  | promotes_by_signal s : - deficit < tokens s ->
      step s {| tokens := tokens s - 1; unspent := unspent s; ran := ran s; beat := beat s; promotions := promotions s + 1 |}
  | task_was_short s :
      step s {| tokens := Z.min (tokens s) 4; unspent := unspent s; ran := ran s; beat := Z.min (32 * period) (beat s * 2);
                promotions := promotions s |}
  | task_was_long s :
      step s {| tokens := tokens s; unspent := unspent s; ran := ran s; beat := Z.max period (beat s / 2); promotions := promotions s |}.

  Inductive reachable : state -> Prop :=
  | reachable_at_begin : reachable at_begin
  | reachable_after s s' : reachable s -> step s s' -> reachable s'.

  (** ** The invariant: what was spent beyond the first tokens is paid for by run time, at the shortest beat *)
  Definition paid (s : state) : Prop :=
    period * (promotions s + tokens s - (cap - deficit)) + unspent s <= ran s /\
    - deficit <= tokens s /\ period <= beat s /\ 0 <= unspent s.

  Lemma step_keeps_paid s s' : step s s' -> paid s -> paid s'.
  Proof.
    unfold paid. intros H (P & T & B & U). destruct H; cbn [tokens unspent ran beat promotions].
    - pose proof (Z.div_mod (unspent s + t) (beat s) ltac:(lia)) as E.
      pose proof (Z.mod_pos_bound (unspent s + t) (beat s) ltac:(lia)).
      assert (0 <= (unspent s + t) / beat s) by (apply Z.div_pos; lia).
      set (beats := (unspent s + t) / beat s) in *. set (rest := (unspent s + t) mod beat s) in *.
      assert (period * beats <= beat s * beats) by (apply Z.mul_le_mono_nonneg_r; lia).
      assert (period * Z.min cap (tokens s + beats) <= period * (tokens s + beats)) by (apply Z.mul_le_mono_nonneg_l; lia).
      split; [lia | repeat split; lia].
    - split; [lia | repeat split; lia].
    - split; [lia | repeat split; lia].
    - assert (period * Z.min (tokens s) 4 <= period * tokens s) by (apply Z.mul_le_mono_nonneg_l; lia).
      split; [lia | repeat split; lia].
    - split; [lia | repeat split; lia].
  Qed.

  Lemma reachable_is_paid s : reachable s -> paid s.
  Proof.
    induction 1 as [| s s' _ IH H]; [| eauto using step_keeps_paid].
    unfold paid, at_begin; simpl. repeat split; lia.
  Qed.

  (** ** The theorem *)

  Theorem promotions_are_bounded s : reachable s -> period * promotions s <= ran s + period * cap.
  Proof. intros H. apply reachable_is_paid in H. unfold paid in H. nia. Qed.
End Machine.

(** With the default policy, a beat of 16 µs and a cap of 30, of which signals may borrow the half. *)
Corollary default_policy s : reachable 16 30 15 s -> promotions s <= ran s / 16 + 30.
Proof.
  intros H. apply promotions_are_bounded in H; [| lia | lia].
  assert (promotions s - 30 <= ran s / 16); [apply Z.div_le_lower_bound |]; lia.
Qed.
