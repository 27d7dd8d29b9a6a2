(** * Computations, their strands, and the graph on them

    A computation is what one strand does: it executes some forks, one after the other. A fork has branches, which are computations, and ends when
    all of them have ended. A loop is a fork with a branch for each iteration. *)

From Coq Require Import List Arith Lia Relations.
Import ListNotations.

Inductive computation := Forks (forks : list (list computation)).

Definition forks_of (c : computation) : list (list computation) := match c with Forks fs => fs end.

(** The place of a strand: after [joins] forks of the outermost computation, or in one of their branches. *)
Inductive place :=
| Here (joins : nat)
| Below (joins branch : nat) (inside : place).

(** [branch_at c j i b]: branch [i] of fork [j] of [c] is [b]. *)
Definition branch_at (c : computation) (j i : nat) (b : computation) : Prop :=
  exists branches, nth_error (forks_of c) j = Some branches /\ nth_error branches i = Some b.

(** The places of a computation. *)
Inductive place_of : computation -> place -> Prop :=
| place_here c j : j <= length (forks_of c) -> place_of c (Here j)
| place_below c j i b p : branch_at c j i b -> place_of b p -> place_of c (Below j i p).

(** The last strand of a computation. *)
Definition last_of (c : computation) : place := Here (length (forks_of c)).

(** The edges of the computation graph: from a strand to each branch of the fork that ends it, from the last strand of each branch to the strand
    after the join, and from the strand before a fork to the one after it. *)
Inductive edge : computation -> place -> place -> Prop :=
| edge_fork c j i b : branch_at c j i b -> edge c (Here j) (Below j i (Here 0))
| edge_join c j i b : branch_at c j i b -> edge c (Below j i (last_of b)) (Here (S j))
| edge_next c j : j < length (forks_of c) -> edge c (Here j) (Here (S j))
| edge_inside c j i b p q : branch_at c j i b -> edge b p q -> edge c (Below j i p) (Below j i q).

(** A strand precedes another one if a path leads from it to the other one: then it has ended in every schedule when the other one begins. *)
Definition precedes (c : computation) : place -> place -> Prop := clos_trans _ (edge c).

(** Two strands are parallel if they differ, and neither precedes the other one. *)
Definition parallel (c : computation) (p q : place) : Prop := p <> q /\ ~ precedes c p q /\ ~ precedes c q p.
