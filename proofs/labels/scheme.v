(** * Labels that hold, for each fork around a strand, the branch and the number of joins

    A scheme says in which form a level of a label holds the two numbers, and how two levels compare. This file proves once for all schemes that
    the comparison of labels is the order of strands. It follows include/tine/augment/labels/label.hpp. *)

From Coq Require Import List Arith Lia Relations.
Import ListNotations.
From tine.labels Require Import computation series_parallel.

(** A scheme: the level at the beginning of branch [i] of [n], the level after one more join, and the comparison of two different levels below the
    same way. The root is branch 0 of 1. *)
Record scheme := {
  level : Type;
  branch : nat -> nat -> level;
  join : level -> level;
  relate_levels : level -> level -> relation;
  level_dec : forall x y : level, {x = y} + {x <> y};
}.
Arguments branch {_}. Arguments join {_}. Arguments relate_levels {_}.

(** The level of branch [i] of [n] after [j] joins. *)
Definition level_at (s : scheme) (n i j : nat) : level s := Nat.iter j join (branch i n).

(** The branches of fork [j], and one of them. The default values are never reached from a place of the computation. *)
Definition branches_of (c : computation) (j : nat) : list computation := nth j (forks_of c) [].
Definition inside (c : computation) (j i : nat) : computation := nth i (branches_of c j) (Forks []).

(** The label of a strand of branch [i] of [n]: the levels on the way to it, the outermost first. *)
Fixpoint label_from (s : scheme) (n i : nat) (c : computation) (p : place) : list (level s) :=
  match p with
  | Here j => [level_at s n i j]
  | Below j i' p' => level_at s n i j :: label_from s (length (branches_of c j)) i' (inside c j i') p'
  end.

Definition label (s : scheme) : computation -> place -> list (level s) := label_from s 1 0.

(** The comparison of labels: at the first level in which they differ. A label that continues another one comes after it. *)
Fixpoint relate (s : scheme) (a b : list (level s)) : relation :=
  match a, b with
  | [], [] => Same
  | [], _ => Before
  | _, [] => After
  | x :: a', y :: b' => if level_dec s x y then relate s a' b' else relate_levels x y
  end.

(** The condition on a scheme: two levels of branches of one fork are equal only if the branches and the joins are, and otherwise they compare as
    these numbers do. *)
Record sound (s : scheme) : Prop := {
  levels_differ : forall n i i' j j', i < n -> i' < n -> level_at s n i j = level_at s n i' j' -> i = i' /\ j = j';
  levels_compare : forall n i i' j j', i < n -> i' < n -> (i <> i' \/ j <> j') ->
    relate_levels (level_at s n i j) (level_at s n i' j') = side_by_side i i' (in_sequence j j' Same);
}.

Lemma inside_is_branch c j i b : branch_at c j i b -> inside c j i = b /\ i < length (branches_of c j).
Proof.
  intros (bs & Hj & Hi). unfold inside, branches_of. rewrite (nth_error_nth _ _ _ Hj). split.
  - exact (nth_error_nth _ _ _ Hi).
  - apply nth_error_Some. congruence.
Qed.

Section Sound.
  Variables (s : scheme) (s_sound : sound s).

  Lemma relate_first n i j k a b : i < n ->
    relate s (level_at s n i j :: a) (level_at s n i k :: b) = in_sequence j k (relate s a b).
  Proof.
    intros Hi. simpl. destruct (level_dec s _ _) as [E | E].
    - destruct (levels_differ _ s_sound _ _ _ _ _ Hi Hi E) as [_ ->]. cases_of_order; reflexivity.
    - assert (j <> k) by (intros ->; congruence).
      rewrite levels_compare by auto. cases_of_order; reflexivity.
  Qed.

  Lemma relate_first_of_branches n i i' j k a b : i < n -> i' < n -> i <> i' ->
    relate s (level_at s n i j :: a) (level_at s n i' k :: b) = side_by_side i i' Same.
  Proof.
    intros Hi Hi' Hne. simpl. destruct (level_dec s _ _) as [E | E].
    - apply levels_differ in E; auto. lia.
    - rewrite levels_compare by auto. cases_of_order; reflexivity.
  Qed.

  Lemma label_has_first n i c p : exists j a, label_from s n i c p = level_at s n i j :: a.
  Proof. destruct p; simpl; eauto. Qed.

  Lemma relate_from n i c p : i < n -> place_of c p -> forall q, place_of c q ->
    relate s (label_from s n i c p) (label_from s n i c q) = relation_of p q.
  Proof.
    intros Hi Hp. revert n i Hi. induction Hp as [c j Hj | c j i' b p Hb Hp IH]; intros n i Hi q Hq;
      inversion Hq as [c' k Hk | c' k i'' b' q' Hb' Hq']; subst; cbn [label_from relation_of]; rewrite relate_first by auto.
    - reflexivity.
    - destruct (label_has_first (length (branches_of c k)) i'' (inside c k i'') q') as (x & a & ->). reflexivity.
    - destruct (label_has_first (length (branches_of c j)) i' (inside c j i') p) as (x & a & ->). reflexivity.
    - destruct (inside_is_branch _ _ _ _ Hb) as [Ein Hlt]. destruct (inside_is_branch _ _ _ _ Hb') as [Ein' Hlt'].
      rewrite Ein, Ein'. unfold in_sequence. destruct (lt_dec j k); [reflexivity |]. destruct (lt_dec k j); [reflexivity |].
      assert (j = k) as <- by lia. destruct (Nat.eq_dec i' i'') as [<- | Hne].
      + assert (b = b') as <- by eauto using branch_unique. rewrite (IH _ _ Hlt _ Hq').
        unfold side_by_side. destruct (lt_dec i' i'); [lia | reflexivity].
      + destruct (label_has_first (length (branches_of c j)) i' b p) as (x & a & ->).
        destruct (label_has_first (length (branches_of c j)) i'' b' q') as (y & a' & ->).
        rewrite relate_first_of_branches by auto. cases_of_order; reflexivity.
  Qed.

  (** ** The theorem: a comparison of two labels tells the relation of their strands *)

  Theorem labels_are_correct c p q : place_of c p -> place_of c q -> correct c p q (relate s (label s c p) (label s c q)).
  Proof. intros Hp Hq. unfold label. rewrite relate_from by auto. apply relation_of_is_correct; auto. Qed.
End Sound.
