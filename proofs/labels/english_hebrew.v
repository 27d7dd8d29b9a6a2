(** * English-Hebrew labels (Nudler, Rudolph 1986)

    A level is a letter of two words: the place of the branch from the left and from the right, and the number of joins. Strands in sequence have the
    same order in both words. include/tine/augment/labels/english_hebrew.hpp *)

From Coq Require Import List Arith Lia.
From tine.labels Require Import computation series_parallel scheme.

Record letter := { english : nat; hebrew : nat; joins : nat }.

(** One letter comes before the other one in the alphabet of a word. *)
Definition before_in (place : letter -> nat) (x y : letter) : bool :=
  if Nat.eq_dec (place x) (place y) then joins x <? joins y else place x <? place y.

Definition relate_letters (x y : letter) : relation :=
  match before_in english x y, before_in hebrew x y with
  | true, true => Before
  | false, false => After
  | true, false => Left
  | false, true => Right
  end.

Definition english_hebrew : scheme := {|
  level := letter;
  branch i n := {| english := i; hebrew := n - 1 - i; joins := 0 |};
  join l := {| english := english l; hebrew := hebrew l; joins := S (joins l) |};
  relate_levels := relate_letters;
  level_dec x y := ltac:(decide equality; apply Nat.eq_dec);
|}.

Lemma letter_after_joins n i j : level_at english_hebrew n i j = {| english := i; hebrew := n - 1 - i; joins := j |}.
Proof. induction j as [| j IH]; unfold level_at in *; simpl in *; [| rewrite IH]; reflexivity. Qed.

Lemma english_hebrew_is_sound : sound english_hebrew.
Proof.
  split.
  - intros n i i' j j' _ _ E. rewrite !letter_after_joins in E. injection E; auto.
  - intros n i i' j j' Hi Hi' Hne. rewrite !letter_after_joins. simpl. unfold relate_letters, before_in; simpl.
    destruct (Nat.eq_dec i i') as [<- | Hii].
    + destruct (Nat.eq_dec (n - 1 - i) (n - 1 - i)); [| lia]. unfold side_by_side, in_sequence.
      destruct (lt_dec i i); [lia |]. destruct (Nat.ltb_spec j j'), (lt_dec j j'), (lt_dec j' j); try lia; reflexivity.
    + destruct (Nat.eq_dec (n - 1 - i) (n - 1 - i')); [lia |]. unfold side_by_side.
      destruct (Nat.ltb_spec i i'), (Nat.ltb_spec (n - 1 - i) (n - 1 - i')), (lt_dec i i'), (lt_dec i' i); try lia; reflexivity.
Qed.

Theorem english_hebrew_labels_are_correct c p q : place_of c p -> place_of c q ->
  correct c p q (relate english_hebrew (label english_hebrew c p) (label english_hebrew c q)).
Proof. apply labels_are_correct, english_hebrew_is_sound. Qed.
