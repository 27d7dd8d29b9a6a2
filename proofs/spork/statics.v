(** * Spork IR: well-formed programs (Spork, Figure 4)

    Differences from the figure: scopes are sizes (see syntax.v), so nothing can be shadowed; and the nesting of a block must be in its scope, which
    names give for free and sizes do not. *)

From Coq Require Import List Arith Lia.
Import ListNotations.
From tine.spork Require Import syntax.

Fixpoint wf_expression (n : nat) (e : expression) : Prop :=
  match e with
  | Constant _ => True
  | Temporary x => x < n
  | Operation _ a b => wf_expression n a /\ wf_expression n b
  end.

Definition in_scope (n : nat) (xs : list nat) : Prop := Forall (fun x => x < n) xs.

Section Program.
  Variable P : program.

  Definition wf_call (n : nat) (c : call) : Prop :=
    in_scope n (arguments c) /\ exists g, nth_error P (callee c) = Some g /\ inputs g = length (arguments c).

  (** Block [b] of [f] may follow a place with [n] temporaries and that nesting, which passes [r] arguments. *)
  Definition wf_continuation (f : function) (n : nat) (rho : list call) (b r : nat) : Prop :=
    exists B, nth_error (blocks f) b = Some B /\ scope B <= n /\ parameters B = r /\ nesting B = rho.

  Inductive wf_code (f : function) : nat -> list call -> code -> Prop :=
  | wf_assign n rho e C : wf_expression n e -> wf_code f (S n) rho C -> wf_code f n rho (Assign e C)
  | wf_goto n rho b xs : in_scope n xs -> wf_continuation f n rho b (length xs) -> wf_code f n rho (Goto b xs)
  | wf_if n rho e b1 b2 : wf_expression n e -> wf_continuation f n rho b1 0 -> wf_continuation f n rho b2 0 ->
      wf_code f n rho (If e b1 b2)
  | wf_call_code n rho c g b : wf_call n c -> nth_error P (callee c) = Some g -> wf_continuation f n rho b (outputs g) ->
      wf_code f n rho (Call c b)
  | wf_return n xs : in_scope n xs -> length xs = outputs f -> wf_code f n [] (Return xs)
  | wf_spork n rho b c : wf_call n c -> wf_continuation f n (rho ++ [c]) b 0 -> wf_code f n rho (Spork b c)
  | wf_spoin n rho c g b1 b2 : nth_error P (callee c) = Some g -> wf_continuation f n rho b1 0 ->
      wf_continuation f n rho b2 (outputs g) -> wf_code f n (rho ++ [c]) (Spoin b1 b2).

  Definition wf_block (f : function) (B : block) : Prop :=
    wf_code f (scope B + parameters B) (nesting B) (body B) /\ Forall (wf_call (scope B)) (nesting B).

  Definition wf_function (f : function) : Prop :=
    Forall (wf_block f) (blocks f) /\ wf_continuation f (inputs f) [] 0 0.

  Definition wf_program : Prop :=
    Forall wf_function P /\ exists main, nth_error P 0 = Some main /\ inputs main = 0.
End Program.
