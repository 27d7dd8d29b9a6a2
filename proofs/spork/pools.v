(** * Spork IR: well-formed thread pools (Spork, Appendix A)

    One difference from the figure: the function of a child is that of the newest promoted call of its parent by [root] and [waiting], which are functions
    here. *)

From Coq Require Import List Arith Lia ZArith.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics.

(** The function of the oldest of some frames, of which the newest executes [f]. *)
Fixpoint oldest (K : stack) (f : nat) : nat := match K with [] => f | (F, _) :: K => oldest K (of F) end.

(** The function of the oldest frame of the pool's first thread. *)
Fixpoint root (R : pool) : nat :=
  match R with
  | Leaf t => oldest (below t) (of (current t))
  | Fork p _ => root p
  end.

(** The promoted calls of the pool's first thread for which the pool has no child. *)
Fixpoint waiting (R : pool) : list call :=
  match R with
  | Leaf t => promoted_of (below t) ++ promoted (current t)
  | Fork p _ => removelast (waiting p)
  end.

Definition open_sporks (F : frame) : list call := promoted F ++ unpromoted F.

Section Program.
  Variable P : program.

  (** Promotions are oldest first: a frame has promoted calls only if the frames below it have no unpromoted ones. *)
  Definition wf_deque (K : stack) (F : frame) : Prop :=
    Forall (wf_call P (length (env F))) (open_sporks F) /\ (promoted F = [] \/ unpromoted_of K = []).

  (** [wf_stack r K]: the newest frame of [K] waits for [r] results. *)
  Inductive wf_stack : nat -> stack -> Prop :=
  | wf_no_frame r : wf_stack r []
  | wf_frame r F b K f : nth_error P (of F) = Some f -> wf_deque K F ->
      wf_continuation f (length (env F)) (open_sporks F) b r -> wf_stack (outputs f) K -> wf_stack r ((F, b) :: K).

  Definition wf_thread (t : thread) : Prop :=
    exists f, nth_error P (of (current t)) = Some f /\ wf_deque (below t) (current t) /\ wf_stack (outputs f) (below t) /\
              wf_code P f (length (env (current t))) (open_sporks (current t)) (code_left t).

  Inductive wf_pool : pool -> Prop :=
  | wf_leaf t : wf_thread t -> wf_pool (Leaf t)
  | wf_fork p c pi x : wf_pool p -> wf_pool c -> waiting c = [] -> waiting p = pi ++ [x] -> root c = callee x -> wf_pool (Fork p c).
End Program.
