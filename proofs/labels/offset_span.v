(** * Offset-span labels (Mellor-Crummey 1991)

    A level is a pair of an offset and a span: branch [i] of [n] begins with [(i, n)], and each join adds the span to the offset. Offsets that are
    congruent modulo the span are in sequence. include/tine/augment/labels/offset_span.hpp keeps the offset as quotient and remainder. *)

From Coq Require Import List Arith Lia.
From tine.labels Require Import computation series_parallel scheme.

Definition relate_pairs (x y : nat * nat) : relation :=
  let (a, n) := x in
  let (b, _) := y in
  side_by_side (a mod n) (b mod n) (in_sequence a b Same).

Definition offset_span : scheme := {|
  level := nat * nat;
  branch i n := (i, n);
  join '(offset, span) := (offset + span, span);
  relate_levels := relate_pairs;
  level_dec x y := ltac:(decide equality; apply Nat.eq_dec);
|}.

Lemma offset_after_joins n i j : level_at offset_span n i j = (i + j * n, n).
Proof. induction j as [| j IH]; unfold level_at in *; simpl in *; [| rewrite IH]; f_equal; lia. Qed.

Lemma remainder_is_branch n i j : i < n -> (i + j * n) mod n = i.
Proof. intros H. rewrite Nat.mod_add by lia. apply Nat.mod_small, H. Qed.

Lemma offset_span_is_sound : sound offset_span.
Proof.
  split.
  - intros n i i' j j' Hi Hi' E. rewrite !offset_after_joins in E. injection E as E.
    assert (i = i') as -> by (rewrite <- (remainder_is_branch n i j), E by auto; apply remainder_is_branch; auto).
    split; [reflexivity | nia].
  - intros n i i' j j' Hi Hi' _. rewrite !offset_after_joins. simpl. rewrite !remainder_is_branch by auto.
    unfold side_by_side. destruct (lt_dec i i'); [reflexivity |]. destruct (lt_dec i' i); [reflexivity |].
    assert (i = i') as <- by lia. unfold in_sequence.
    destruct (lt_dec j j'), (lt_dec (i + j * n) (i + j' * n)); try nia; try reflexivity.
    destruct (lt_dec j' j), (lt_dec (i + j' * n) (i + j * n)); try nia; reflexivity.
Qed.

Theorem offset_span_labels_are_correct c p q : place_of c p -> place_of c q ->
  correct c p q (relate offset_span (label offset_span c p) (label offset_span c q)).
Proof. apply labels_are_correct, offset_span_is_sound. Qed.
