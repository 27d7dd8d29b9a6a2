(** * DePa labels (Westrick, Wang, Acar 2022)

    A label holds, for each fork around the strand, the depth of the fork and the branch; and the depth of the strand, the number of forks and joins on
    the longest way to it. include/tine/augment/labels/depa.hpp *)

From Coq Require Import List Arith Lia.
Import ListNotations.
From tine.labels Require Import computation series_parallel scheme.

(** The depth at the end of a computation that begins at depth [d]. A join is one deeper than the deepest end of a branch. *)
Fixpoint end_depth (c : computation) (d : nat) {struct c} : nat :=
  match c with
  | Forks fs => fold_left (fun d branches => S (list_max (d :: map (fun b => end_depth b (S d)) branches))) fs d
  end.

(** The depth after [j] forks. *)
Definition depth_after (c : computation) (d j : nat) : nat := end_depth (Forks (firstn j (forks_of c))) d.

Fixpoint depa_from (d : nat) (c : computation) (p : place) : list (nat * nat) * nat :=
  match p with
  | Here j => ([], depth_after c d j)
  | Below j i p' =>
    let fork := depth_after c d j in
    let (way, depth) := depa_from (S fork) (inside c j i) p' in ((fork, i) :: way, depth)
  end.

Definition depa (c : computation) (p : place) : list (nat * nat) * nat := depa_from 0 c p.

(** The comparison: if one way is a part of the other one, by the depths of the strands; otherwise by the depths of the forks at which the ways part,
    and, for branches of one fork, by the branches. *)
Fixpoint relate_ways (a b : list (nat * nat)) (depth_a depth_b : nat) : relation :=
  match a, b with
  | (fork, i) :: a', (fork', i') :: b' =>
    if Nat.eq_dec fork fork' then (if Nat.eq_dec i i' then relate_ways a' b' depth_a depth_b else side_by_side i i' Same)
    else in_sequence fork fork' Same
  | _, _ => in_sequence depth_a depth_b Same
  end.

Definition relate_depa (a b : list (nat * nat) * nat) : relation := relate_ways (fst a) (fst b) (snd a) (snd b).

(** ** Depths grow along a computation *)

Lemma depth_at_begin c d : depth_after c d 0 = d.
Proof. reflexivity. Qed.

Lemma depth_at_end c d : depth_after c d (length (forks_of c)) = end_depth c d.
Proof. unfold depth_after. rewrite firstn_all. destruct c; reflexivity. Qed.

Lemma depth_after_fork c d j : j < length (forks_of c) ->
  depth_after c d (S j) = S (list_max (depth_after c d j :: map (fun b => end_depth b (S (depth_after c d j))) (branches_of c j))).
Proof.
  destruct c as [fs]. unfold depth_after, branches_of. simpl forks_of. revert d j.
  induction fs as [| f fs IH]; intros d j Hj; [simpl in Hj; lia |].
  destruct j as [| j]; [reflexivity |]. simpl in Hj. specialize (IH (S (list_max (d :: map (fun b => end_depth b (S d)) f))) j).
  simpl in *. apply IH. lia.
Qed.

Lemma list_max_above l x : In x l -> x <= list_max l.
Proof. intros H. pose proof (list_max_le l (list_max l)) as [L _]. specialize (L (le_n _)). rewrite Forall_forall in L. auto. Qed.

Lemma fork_is_below_join c d j : j < length (forks_of c) -> depth_after c d j < depth_after c d (S j).
Proof. intros H. rewrite depth_after_fork by auto. apply le_n_S, list_max_above. left. reflexivity. Qed.

Lemma branch_ends_below_join c d j i b : branch_at c j i b -> end_depth b (S (depth_after c d j)) < depth_after c d (S j).
Proof.
  intros H. pose proof (fork_exists _ _ _ _ H). rewrite depth_after_fork by auto. apply le_n_S, list_max_above. right.
  apply in_map_iff. exists b. split; [reflexivity |]. destruct (inside_is_branch _ _ _ _ H) as [<- Hi]. apply nth_In, Hi.
Qed.

Lemma depth_grows c d k : forall j, j < k -> k <= length (forks_of c) -> depth_after c d j < depth_after c d k.
Proof.
  induction k as [| k IH]; intros j Hj Hk; [lia |]. pose proof (fork_is_below_join c d k ltac:(lia)).
  destruct (Nat.eq_dec j k) as [-> | Hne]; [auto |]. specialize (IH j ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma depth_is_between c p : place_of c p -> forall d, d <= snd (depa_from d c p) <= end_depth c d.
Proof.
  induction 1 as [c j Hj | c j i b p Hb Hp IH]; intros d; simpl.
  - rewrite <- (depth_at_end c d). split.
    + destruct j as [| j]; [reflexivity |]. apply Nat.lt_le_incl. rewrite <- (depth_at_begin c d) at 1. apply depth_grows; lia.
    + destruct (Nat.eq_dec j (length (forks_of c))) as [-> | Hne]; [reflexivity |]. apply Nat.lt_le_incl, depth_grows; lia.
  - destruct (inside_is_branch _ _ _ _ Hb) as [-> _]. specialize (IH (S (depth_after c d j))).
    destruct (depa_from _ b p) as [way depth]. simpl in *. pose proof (branch_ends_below_join c d _ _ _ Hb).
    pose proof (fork_exists _ _ _ _ Hb). split.
    + assert (d <= depth_after c d j); [| lia]. destruct j as [| j]; [reflexivity |].
      apply Nat.lt_le_incl. rewrite <- (depth_at_begin c d) at 1. apply depth_grows; lia.
    + rewrite <- (depth_at_end c d). assert (depth_after c d (S j) <= depth_after c d (length (forks_of c))); [| lia].
      destruct (Nat.eq_dec (S j) (length (forks_of c))) as [-> | Hne]; [reflexivity |]. apply Nat.lt_le_incl, depth_grows; lia.
Qed.

(** A strand in a fork is deeper than the fork, and not as deep as its join. *)
Lemma depth_in_fork c d j i b p : branch_at c j i b -> place_of b p ->
  depth_after c d j < snd (depa_from (S (depth_after c d j)) b p) < depth_after c d (S j).
Proof.
  intros Hb Hp. pose proof (depth_is_between b p Hp (S (depth_after c d j))). pose proof (branch_ends_below_join c d _ _ _ Hb). lia.
Qed.

(** ** The theorem *)

Lemma relate_depa_from c p : place_of c p -> forall q, place_of c q -> forall d,
  relate_depa (depa_from d c p) (depa_from d c q) = relation_of p q.
Proof.
  induction 1 as [c j Hj | c j i b p Hb Hp IH]; intros q Hq d; inversion Hq as [c' k Hk | c' k i' b' q' Hb' Hq']; subst; simpl.
  - unfold relate_depa; simpl. destruct (Nat.lt_trichotomy j k) as [H | [<- | H]].
    + pose proof (depth_grows c d k j H ltac:(lia)). cases_of_order; reflexivity.
    + cases_of_order; reflexivity.
    + pose proof (depth_grows c d j k H ltac:(lia)). cases_of_order; reflexivity.
  - destruct (inside_is_branch _ _ _ _ Hb') as [-> _]. pose proof (depth_in_fork c d _ _ _ _ Hb' Hq') as Hd.
    pose proof (fork_exists _ _ _ _ Hb'). destruct (depa_from _ b' q') as [way depth]. unfold relate_depa; simpl in *.
    destruct (Nat.lt_trichotomy j k) as [H1 | [<- | H1]].
    + pose proof (depth_grows c d k j H1 ltac:(lia)). cases_of_order; reflexivity.
    + cases_of_order; reflexivity.
    + assert (depth_after c d (S k) <= depth_after c d j).
      { destruct (Nat.eq_dec (S k) j) as [<- | Hne]; [reflexivity |]. apply Nat.lt_le_incl, depth_grows; lia. }
      cases_of_order; reflexivity.
  - destruct (inside_is_branch _ _ _ _ Hb) as [-> _]. pose proof (depth_in_fork c d _ _ _ _ Hb Hp) as Hd.
    pose proof (fork_exists _ _ _ _ Hb). destruct (depa_from _ b p) as [way depth]. unfold relate_depa; simpl in *.
    destruct (Nat.lt_trichotomy k j) as [H1 | [<- | H1]].
    + pose proof (depth_grows c d j k H1 ltac:(lia)). cases_of_order; reflexivity.
    + cases_of_order; reflexivity.
    + assert (depth_after c d (S j) <= depth_after c d k).
      { destruct (Nat.eq_dec (S j) k) as [<- | Hne]; [reflexivity |]. apply Nat.lt_le_incl, depth_grows; lia. }
      cases_of_order; reflexivity.
  - destruct (inside_is_branch _ _ _ _ Hb) as [-> _]. destruct (inside_is_branch _ _ _ _ Hb') as [-> _].
    pose proof (fork_exists _ _ _ _ Hb). pose proof (fork_exists _ _ _ _ Hb').
    destruct (depa_from _ b p) as [way depth] eqn:E. destruct (depa_from _ b' q') as [way' depth'] eqn:E'. unfold relate_depa; simpl.
    destruct (Nat.lt_trichotomy j k) as [H1 | [<- | H1]].
    + pose proof (depth_grows c d k j H1 ltac:(lia)). destruct (Nat.eq_dec _ _); [lia |]. cases_of_order; reflexivity.
    + destruct (Nat.eq_dec _ _) as [_ |]; [| lia]. destruct (Nat.eq_dec i i') as [<- | Hne].
      * assert (b = b') as <- by eauto using branch_unique. specialize (IH q' Hq' (S (depth_after c d j))).
        rewrite E, E' in IH. unfold relate_depa in IH; simpl in IH. rewrite IH. cases_of_order; reflexivity.
      * cases_of_order; reflexivity.
    + pose proof (depth_grows c d j k H1 ltac:(lia)). destruct (Nat.eq_dec _ _); [lia |]. cases_of_order; reflexivity.
Qed.

Theorem depa_labels_are_correct c p q : place_of c p -> place_of c q -> correct c p q (relate_depa (depa c p) (depa c q)).
Proof. intros Hp Hq. unfold depa. rewrite relate_depa_from by auto. apply relation_of_is_correct; auto. Qed.
