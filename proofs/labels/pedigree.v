(** * Pedigrees (Leiserson, Schardl, Sukha 2012), with the branch as a number of its own

    A level is the branch and its rank, the number of joins. include/tine/augment/labels/pedigree.hpp *)

From Coq Require Import List Arith Lia.
From tine.labels Require Import computation series_parallel scheme.

Definition relate_ranks (x y : nat * nat) : relation :=
  let (i, j) := x in
  let (i', j') := y in
  side_by_side i i' (in_sequence j j' Same).

Definition pedigree : scheme := {|
  level := nat * nat;
  branch i _ := (i, 0);
  join '(i, rank) := (i, S rank);
  relate_levels := relate_ranks;
  level_dec x y := ltac:(decide equality; apply Nat.eq_dec);
|}.

Lemma rank_after_joins n i j : level_at pedigree n i j = (i, j).
Proof. induction j as [| j IH]; unfold level_at in *; simpl in *; [| rewrite IH]; reflexivity. Qed.

Lemma pedigree_is_sound : sound pedigree.
Proof.
  split.
  - intros n i i' j j' _ _ E. rewrite !rank_after_joins in E. injection E; auto.
  - intros. rewrite !rank_after_joins. reflexivity.
Qed.

Theorem pedigrees_are_correct c p q : place_of c p -> place_of c q ->
  correct c p q (relate pedigree (label pedigree c p) (label pedigree c q)).
Proof. apply labels_are_correct, pedigree_is_sound. Qed.
