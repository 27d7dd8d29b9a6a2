(** * Spork IR: syntax (Spork, Figure 1)

    Temporaries are numbered by their place in the scope, as in the paper's own mechanisation: an assignment binds the next number, and a block continues
    with the first [scope] temporaries of the place that jumps to it and its parameters behind them. Blocks carry the attributes that the paper writes as
    subscripts: the size of their scope and their nesting, which are the calls of the open sporks, the outermost first. *)

From Coq Require Import List ZArith.
Import ListNotations.

Inductive operator := Plus | Minus | Times | And | Or | Xor | Shift_left | Shift_right | Less | Equal.

Inductive expression :=
| Constant (v : Z)
| Temporary (x : nat)
| Operation (o : operator) (a b : expression).

(** A call of a function, whose arguments are temporaries. *)
Record call := { callee : nat; arguments : list nat }.

(** A block is named by its number in its function. *)
Inductive code :=
| Assign (e : expression) (rest : code)
| Goto (next : nat) (arguments : list nat)
| If (e : expression) (then_block else_block : nat)
| Call (c : call) (return_block : nat)
| Return (results : list nat)
| Spork (body : nat) (spawn : call)
| Spoin (unpromoted promoted : nat).

Record block := { scope : nat; parameters : nat; nesting : list call; body : code }.

(** Block 0 is the entry. Its scope are the parameters of the function, and it has none of its own. *)
Record function := { inputs : nat; outputs : nat; blocks : list block }.

(** Function 0 is the main function. *)
Definition program := list function.
