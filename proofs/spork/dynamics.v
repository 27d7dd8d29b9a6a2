(** * Spork IR: steps of thread pools (Spork, Figure 3) *)

From Coq Require Import List ZArith.
Import ListNotations.
From tine.spork Require Import syntax.

(** The values of the temporaries in scope. *)
Definition values := list Z.

Definition value_of (X : values) (x : nat) : Z := nth x X 0%Z.
Definition values_of (X : values) (xs : list nat) : values := map (value_of X) xs.

(** Numbers have 64 bits, and wrap around. *)
Definition wrap (a : Z) : Z := ((a + 2 ^ 63) mod 2 ^ 64 - 2 ^ 63)%Z.

Definition apply (o : operator) (a b : Z) : Z :=
  match o with
  | Plus => wrap (a + b)
  | Minus => wrap (a - b)
  | Times => wrap (a * b)
  | And => Z.land a b
  | Or => Z.lor a b
  | Xor => Z.lxor a b
  | Shift_left => wrap (Z.shiftl a (b mod 64))
  | Shift_right => Z.shiftr a (b mod 64)
  | Less => if Z.ltb a b then 1 else 0
  | Equal => if Z.eqb a b then 1 else 0
  end%Z.

Fixpoint evaluate (X : values) (e : expression) : Z :=
  match e with
  | Constant v => v
  | Temporary x => value_of X x
  | Operation o a b => apply o (evaluate X a) (evaluate X b)
  end.

(** A frame executes a function. Its spawn deque holds a call for each open spork, first those that were promoted. *)
Record frame := { of : nat; promoted : list call; unpromoted : list call; env : values }.

(** A frame below another one continues in a block. The newest frame is the first one. *)
Definition stack := list (frame * nat).

Record thread := { below : stack; current : frame; code_left : code }.

(** In [Fork parent child] the child runs the newest promoted call of the parent's thread. *)
Inductive pool := Leaf (t : thread) | Fork (parent child : pool).

Definition with_env (F : frame) (X : values) : frame :=
  {| of := of F; promoted := promoted F; unpromoted := unpromoted F; env := X |}.

(** The values with which a block begins: its scope, and its parameters behind it. *)
Definition entered (B : block) (X arguments : values) : values := firstn (scope B) X ++ arguments.

(** All unpromoted and all promoted calls of some frames, the oldest first. *)
Fixpoint unpromoted_of (K : stack) : list call := match K with [] => [] | (F, _) :: K => unpromoted_of K ++ unpromoted F end.
Fixpoint promoted_of (K : stack) : list call := match K with [] => [] | (F, _) :: K => promoted_of K ++ promoted F end.

Section Program.
  Variable P : program.

  (** Block [b] of function [f] is [B]. *)
  Definition block_at (f b : nat) (B : block) : Prop := exists F, nth_error P f = Some F /\ nth_error (blocks F) b = Some B.

  (** The thread of a call whose arguments are read from [X]. *)
  Definition spawned (c : call) (X : values) (entry : block) : thread :=
    {| below := [];
       current := {| of := callee c; promoted := []; unpromoted := []; env := entered entry (values_of X (arguments c)) [] |};
       code_left := body entry |}.

  Definition promote (F : frame) : option (call * frame) :=
    match unpromoted F with
    | [] => None
    | c :: v => Some (c, {| of := of F; promoted := promoted F ++ [c]; unpromoted := v; env := env F |})
    end.

  (** Steps of one thread that start no thread and end none. *)
  Inductive thread_step : thread -> thread -> Prop :=
  | step_assign K F e C :
      thread_step {| below := K; current := F; code_left := Assign e C |}
                  {| below := K; current := with_env F (env F ++ [evaluate (env F) e]); code_left := C |}
  | step_goto K F b xs B : block_at (of F) b B ->
      thread_step {| below := K; current := F; code_left := Goto b xs |}
                  {| below := K; current := with_env F (entered B (env F) (values_of (env F) xs)); code_left := body B |}
  | step_then K F e b1 b2 B : evaluate (env F) e <> 0%Z -> block_at (of F) b1 B ->
      thread_step {| below := K; current := F; code_left := If e b1 b2 |}
                  {| below := K; current := with_env F (entered B (env F) []); code_left := body B |}
  | step_else K F e b1 b2 B : evaluate (env F) e = 0%Z -> block_at (of F) b2 B ->
      thread_step {| below := K; current := F; code_left := If e b1 b2 |}
                  {| below := K; current := with_env F (entered B (env F) []); code_left := body B |}
  | step_call K F c b B : block_at (callee c) 0 B ->
      thread_step {| below := K; current := F; code_left := Call c b |}
                  {| below := (F, b) :: K; current := current (spawned c (env F) B); code_left := body B |}
  | step_return K F b G ys B : block_at (of F) b B -> promoted G = [] -> unpromoted G = [] ->
      thread_step {| below := (F, b) :: K; current := G; code_left := Return ys |}
                  {| below := K; current := with_env F (entered B (env F) (values_of (env G) ys)); code_left := body B |}
  | step_spork K F b c B : block_at (of F) b B ->
      thread_step {| below := K; current := F; code_left := Spork b c |}
                  {| below := K; current := {| of := of F; promoted := promoted F; unpromoted := unpromoted F ++ [c];
                                               env := entered B (env F) [] |}; code_left := body B |}
  | step_spoin_unpromoted K F b1 b2 v c B : unpromoted F = v ++ [c] -> block_at (of F) b1 B ->
      thread_step {| below := K; current := F; code_left := Spoin b1 b2 |}
                  {| below := K; current := {| of := of F; promoted := promoted F; unpromoted := v; env := entered B (env F) [] |};
                     code_left := body B |}.

  Inductive step : pool -> pool -> Prop :=
  | in_thread t t' : thread_step t t' -> step (Leaf t) (Leaf t')
  | in_parent p p' c : step p p' -> step (Fork p c) (Fork p' c)
  | in_child p c c' : step c c' -> step (Fork p c) (Fork p c')
  (** The oldest unpromoted call of the thread becomes a thread. *)
  | promote_below K' F b K G C c F' B : unpromoted_of K = [] -> promote F = Some (c, F') -> block_at (callee c) 0 B ->
      step (Leaf {| below := K' ++ (F, b) :: K; current := G; code_left := C |})
           (Fork (Leaf {| below := K' ++ (F', b) :: K; current := G; code_left := C |}) (Leaf (spawned c (env F) B)))
  | promote_current K F C c F' B : unpromoted_of K = [] -> promote F = Some (c, F') -> block_at (callee c) 0 B ->
      step (Leaf {| below := K; current := F; code_left := C |})
           (Fork (Leaf {| below := K; current := F'; code_left := C |}) (Leaf (spawned c (env F) B)))
  (** The child has ended, and its results are the arguments of the promoted block. *)
  | spoin_promoted K F b1 b2 pi c B G ys : promoted F = pi ++ [c] -> unpromoted F = [] -> block_at (of F) b2 B ->
      of G = callee c -> promoted G = [] -> unpromoted G = [] ->
      step (Fork (Leaf {| below := K; current := F; code_left := Spoin b1 b2 |})
                 (Leaf {| below := []; current := G; code_left := Return ys |}))
           (Leaf {| below := K; current := {| of := of F; promoted := pi; unpromoted := [];
                                              env := entered B (env F) (values_of (env G) ys) |}; code_left := body B |}).
End Program.
