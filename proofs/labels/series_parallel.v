(** * The order of strands can be read from their places

    [earlier] compares two places without the computation. *)

From Coq Require Import List Arith Lia Relations.
Import ListNotations.
From tine.labels Require Import computation.

Fixpoint earlier (p q : place) : Prop :=
  match p, q with
  | Here j, Here k => j < k
  | Here j, Below k _ _ => j <= k
  | Below j _ _, Here k => j < k
  | Below j i p', Below k i' q' => j < k \/ (j = k /\ i = i' /\ earlier p' q')
  end.

(** ** A path leads to later places only *)

Lemma earlier_transitive p : forall q r, earlier p q -> earlier q r -> earlier p r.
Proof.
  induction p as [j | j i p IH]; intros [k | k i' q] [l | l i'' r]; simpl; try lia.
  intros [H1 | (-> & -> & H1)] [H2 | (-> & -> & H2)]; try lia.
  right; repeat split; eauto.
Qed.

Lemma earlier_irreflexive p : ~ earlier p p.
Proof. induction p; simpl; [lia | intros [H | (_ & _ & H)]; [lia | auto]]. Qed.

Lemma edge_leads_later c p q : edge c p q -> earlier p q.
Proof. induction 1; simpl; auto with arith. Qed.

Lemma path_leads_later c p q : precedes c p q -> earlier p q.
Proof. induction 1; eauto using edge_leads_later, earlier_transitive. Qed.

(** ** A path leads to every later place *)

Lemma place_dec (p q : place) : {p = q} + {p <> q}.
Proof. decide equality; apply Nat.eq_dec. Qed.

Lemma path_inside c j i b p q : branch_at c j i b -> precedes b p q -> precedes c (Below j i p) (Below j i q).
Proof.
  intros Hb H; induction H; [apply t_step; econstructor; eauto | eapply t_trans; eauto].
Qed.

Lemma fork_exists c j i b : branch_at c j i b -> j < length (forks_of c).
Proof. intros (bs & H & _). apply nth_error_Some; congruence. Qed.

Lemma path_along c k : forall j, j < k -> k <= length (forks_of c) -> precedes c (Here j) (Here k).
Proof.
  induction k as [| k IH]; intros j Hj Hk; [lia |].
  destruct (Nat.eq_dec j k) as [-> | Hne]; [apply t_step, edge_next; lia |].
  eapply t_trans; [apply IH; lia | apply t_step, edge_next; lia].
Qed.

(** The first strand of a computation precedes all others. *)
Lemma path_from_first c p : place_of c p -> p <> Here 0 -> precedes c (Here 0) p.
Proof.
  induction 1 as [c j Hj | c j i b p Hb Hp IH]; intros Hne.
  - destruct j as [| j]; [congruence | apply path_along; lia].
  - assert (Hstart : precedes c (Here 0) (Below j i (Here 0))).
    { destruct j as [| j]; [apply t_step; econstructor; eauto |].
      eapply t_trans; [apply path_along with (k := S j); [lia | apply fork_exists in Hb; lia] | apply t_step; econstructor; eauto]. }
    destruct p as [[| k] | k i' p]; [exact Hstart | |];
      (eapply t_trans; [exact Hstart | apply path_inside with (b := b); [exact Hb | apply IH; congruence]]).
Qed.

(** All other strands of a computation precede its last one. *)
Lemma path_to_last c p : place_of c p -> p <> last_of c -> precedes c p (last_of c).
Proof.
  induction 1 as [c j Hj | c j i b p Hb Hp IH]; intros Hne.
  - apply path_along; [| unfold last_of; lia]. unfold last_of in Hne.
    destruct (Nat.eq_dec j (length (forks_of c))); [congruence | lia].
  - pose proof (fork_exists _ _ _ _ Hb) as Hj.
    assert (Hend : precedes c (Below j i (last_of b)) (last_of c)).
    { unfold last_of at 2. destruct (Nat.eq_dec (S j) (length (forks_of c))) as [Heq | Hneq].
      - rewrite <- Heq. apply t_step; econstructor; eauto.
      - eapply t_trans; [apply t_step; econstructor; eauto | apply path_along; lia]. }
    destruct (place_dec p (last_of b)) as [-> | Hp']; [exact Hend |].
    eapply t_trans; [apply path_inside with (b := b); eauto | exact Hend].
Qed.

(** The branch at a place is unique. *)
Lemma branch_unique c j i b b' : branch_at c j i b -> branch_at c j i b' -> b = b'.
Proof. intros (bs & H1 & H2) (bs' & H1' & H2'). congruence. Qed.

(** From a strand before a fork, a path leads to every place in it. *)
Lemma path_into c j k i b p : branch_at c k i b -> place_of b p -> j <= k -> precedes c (Here j) (Below k i p).
Proof.
  intros Hb Hp Hjk. pose proof (fork_exists _ _ _ _ Hb) as Hk.
  assert (Hstart : precedes c (Here j) (Below k i (Here 0))).
  { destruct (Nat.eq_dec j k) as [-> | Hne]; [apply t_step; econstructor; eauto |].
    eapply t_trans; [apply path_along with (k := k); lia | apply t_step; econstructor; eauto]. }
  destruct (place_dec p (Here 0)) as [-> | Hne]; [exact Hstart |].
  eapply t_trans; [exact Hstart | apply path_inside with (b := b); auto using path_from_first].
Qed.

(** From every place in a fork, a path leads to the strands after it. *)
Lemma path_out_of c j k i b p : branch_at c j i b -> place_of b p -> j < k -> k <= length (forks_of c) -> precedes c (Below j i p) (Here k).
Proof.
  intros Hb Hp Hjk Hk.
  assert (Hend : precedes c (Below j i (last_of b)) (Here k)).
  { destruct (Nat.eq_dec k (S j)) as [-> | Hne]; [apply t_step; econstructor; eauto |].
    eapply t_trans; [apply t_step; econstructor; eauto | apply path_along; lia]. }
  destruct (place_dec p (last_of b)) as [-> | Hne]; [exact Hend |].
  eapply t_trans; [apply path_inside with (b := b); auto using path_to_last | exact Hend].
Qed.

Lemma path_to_later c p : place_of c p -> forall q, place_of c q -> earlier p q -> precedes c p q.
Proof.
  induction 1 as [c j Hj | c j i b p Hb Hp IH]; intros q Hq; inversion Hq as [c' k Hk | c' k i' b' q' Hb' Hq']; subst; simpl; intros H.
  - apply path_along; lia.
  - apply path_into with (b := b'); auto.
  - apply path_out_of with (b := b); auto.
  - destruct H as [H | (-> & -> & H)].
    + pose proof (fork_exists _ _ _ _ Hb') as Hk.
      eapply t_trans; [apply path_out_of with (b := b) (k := k); auto with arith | apply path_into with (b := b'); auto].
    + assert (b = b') as -> by eauto using branch_unique. apply path_inside with (b := b'); auto.
Qed.

(** ** The theorem: the order of the graph is that of the places *)

Theorem precedes_is_earlier c p q : place_of c p -> place_of c q -> (precedes c p q <-> earlier p q).
Proof. split; eauto using path_leads_later, path_to_later. Qed.

(** ** The relation of two strands, computed from their places *)

(** A serial run executes [p] before [q]: it runs the branches of a fork one after the other. *)
Fixpoint serially (p q : place) : Prop :=
  match p, q with
  | Here j, Here k => j < k
  | Here j, Below k _ _ => j <= k
  | Below j _ _, Here k => j < k
  | Below j i p', Below k i' q' => j < k \/ (j = k /\ (i < i' \/ (i = i' /\ serially p' q')))
  end.

(** The answers of a comparison. [Left] and [Right] are parallel, in the order of a serial run. *)
Inductive relation := Same | Before | After | Left | Right.

(** The specification of an answer. *)
Definition correct (c : computation) (p q : place) (answer : relation) : Prop :=
  match answer with
  | Same => p = q
  | Before => precedes c p q
  | After => precedes c q p
  | Left => parallel c p q /\ serially p q
  | Right => parallel c p q /\ serially q p
  end.

Definition in_sequence (j k : nat) (equal : relation) : relation :=
  if lt_dec j k then Before else if lt_dec k j then After else equal.

Definition side_by_side (i i' : nat) (equal : relation) : relation :=
  if lt_dec i i' then Left else if lt_dec i' i then Right else equal.

Fixpoint relation_of (p q : place) : relation :=
  match p, q with
  | Here j, Here k => in_sequence j k Same
  | Here j, Below k _ _ => in_sequence j k Before
  | Below j _ _, Here k => in_sequence j k After
  | Below j i p', Below k i' q' => in_sequence j k (side_by_side i i' (relation_of p' q'))
  end.

Ltac cases_of_order := unfold in_sequence, side_by_side in *; repeat (destruct (lt_dec _ _); simpl in * ); try lia.

(** What the answer says of the places alone. *)
Lemma relation_of_places p : forall q,
  match relation_of p q with
  | Same => p = q
  | Before => earlier p q
  | After => earlier q p
  | Left => p <> q /\ ~ earlier p q /\ ~ earlier q p /\ serially p q
  | Right => p <> q /\ ~ earlier p q /\ ~ earlier q p /\ serially q p
  end.
Proof.
  induction p as [j | j i p IH]; intros [k | k i' q]; simpl; cases_of_order; auto with arith.
  - f_equal; lia.
  - repeat split; [intros E; injection E | |  |]; lia.
  - repeat split; [intros E; injection E | |  |]; lia.
  - assert (j = k) as <- by lia. assert (i = i') as <- by lia. specialize (IH q).
    destruct (relation_of p q); [congruence | auto | auto | |];
      destruct IH as (H1 & H2 & H3 & H4); repeat split; try lia; try tauto; try (intros [? | (_ & _ & ?)]; [lia | tauto]); congruence.
Qed.

Theorem relation_of_is_correct c p q : place_of c p -> place_of c q -> correct c p q (relation_of p q).
Proof.
  intros Hp Hq. pose proof (relation_of_places p q) as H. unfold correct, parallel.
  destruct (relation_of p q); try rewrite !precedes_is_earlier by auto; tauto.
Qed.
