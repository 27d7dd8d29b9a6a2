(** * Heartbeats: the number of promotions is bounded by the work

    Every worker gets [grant] tokens for each [period] of its run time, and a promotion costs one. A part of the tokens may move to the promoted child,
    and come back with it. Claim (Spork, §4.3): of W time units of run time on all workers, at most [grant * W / period] promotions are made. The
    machine follows src/sched/token_bucket.hpp. *)

From Coq Require Import List Arith Lia.
Import ListNotations.

(** The tokens of one worker, its run time that has paid for no token yet, and all its run time. *)
Record bucket := { tokens : nat; unspent : nat; ran : nat }.

(** [away]: for each promoted child, and for each piece of work between two workers, the tokens that travel with it. *)
Record state := { buckets : list bucket; away : list nat; promotions : nat }.

(** The share of the tokens that moves to a promoted child. *)
Inductive sharing := none | half | all.
Definition share (how : sharing) (n : nat) : nat := match how with none => 0 | half => n / 2 | all => n end.

Section Machine.
  Variables (period grant cap : nat).
  Hypothesis period_positive : 0 < period.

  (** Time passes on a worker, and pays for tokens. More than [cap] are not kept. *)
  Definition after_time (b : bucket) (t : nat) : bucket :=
    let time := unspent b + t in
    {| tokens := Nat.min (Nat.max cap (tokens b)) (tokens b + grant * (time / period)); unspent := time mod period; ran := ran b + t |}.

  Definition with_tokens (b : bucket) (n : nat) : bucket := {| tokens := n; unspent := unspent b; ran := ran b |}.

  (** One event of any worker. Workers and travelling tokens are found by splitting the lists. *)
  Inductive step : state -> state -> Prop :=
  | runs before b after w p t :
      step {| buckets := before ++ b :: after; away := w; promotions := p |}
           {| buckets := before ++ after_time b t :: after; away := w; promotions := p |}
  | promotes before b after w p how n : tokens b = S n ->
      step {| buckets := before ++ b :: after; away := w; promotions := p |}
           {| buckets := before ++ with_tokens b (n - share how n) :: after; away := share how n :: w; promotions := S p |}
  (** A child that was stolen or returns, or work that arrives: its tokens are added, except those above the cap. *)
  | receives before b after w1 n w2 p k : k <= n ->
      step {| buckets := before ++ b :: after; away := w1 ++ n :: w2; promotions := p |}
           {| buckets := before ++ with_tokens b (tokens b + k) :: after; away := w1 ++ w2; promotions := p |}
  (** All tokens of a worker leave with its work. *)
  | hands_over before b after w p :
      step {| buckets := before ++ b :: after; away := w; promotions := p |}
           {| buckets := before ++ with_tokens b 0 :: after; away := tokens b :: w; promotions := p |}
  (** The tokens of a child that was not stolen are lost ([none] and [half]). *)
  | loses b w1 n w2 p :
      step {| buckets := b; away := w1 ++ n :: w2; promotions := p |} {| buckets := b; away := w1 ++ w2; promotions := p |}.

  Inductive reachable (workers : nat) : state -> Prop :=
  | at_begin : reachable workers {| buckets := repeat {| tokens := 0; unspent := 0; ran := 0 |} workers; away := []; promotions := 0 |}
  | after_step s s' : reachable workers s -> step s s' -> reachable workers s'.

  Definition total (f : bucket -> nat) (l : list bucket) : nat := list_sum (map f l).

  (** ** The invariant: tokens and promotions are paid for by run time *)
  Definition paid (s : state) : Prop :=
    period * (promotions s + total tokens (buckets s) + list_sum (away s)) + grant * total unspent (buckets s)
    <= grant * total ran (buckets s).

  Lemma total_at f before b after : total f (before ++ b :: after) = f b + total f (before ++ after).
  Proof. unfold total. rewrite !map_app, !list_sum_app. simpl. lia. Qed.

  Lemma sum_at w1 n w2 : list_sum (w1 ++ n :: w2) = n + list_sum (w1 ++ w2).
  Proof. rewrite !list_sum_app. simpl. lia. Qed.

  Lemma share_is_at_most how n : share how n <= n.
  Proof. destruct how; cbn [share]; [lia | apply Nat.div_le_upper_bound; lia | lia]. Qed.

  Lemma step_keeps_paid s s' : step s s' -> paid s -> paid s'.
  Proof.
    unfold paid. intros H. destruct H; simpl; rewrite ?total_at, ?sum_at; simpl.
    - pose proof (Nat.div_mod (unspent b + t) period ltac:(lia)) as E.
      pose proof (Nat.le_min_r (Nat.max cap (tokens b)) (tokens b + grant * ((unspent b + t) / period))). nia.
    - rewrite H. pose proof (share_is_at_most how n). nia.
    - nia.
    - nia.
    - nia.
  Qed.

  Lemma total_at_begin f n b : f b = 0 -> total f (repeat b n) = 0.
  Proof. intros H. unfold total. induction n; simpl; lia. Qed.

  Lemma reachable_is_paid workers s : reachable workers s -> paid s.
  Proof.
    induction 1 as [| s s' _ IH H]; [| eauto using step_keeps_paid].
    unfold paid; simpl. rewrite !total_at_begin by reflexivity. lia.
  Qed.

  (** ** The theorem *)

  Theorem promotions_are_bounded workers s : reachable workers s -> period * promotions s <= grant * total ran (buckets s).
  Proof. intros H. apply reachable_is_paid in H. unfold paid in H. nia. Qed.
End Machine.
