(** * S∞: the worst peak is the greatest number of bytes that a prefix holds *)

From Coq Require Import List ZArith Lia Bool.
From tine.space Require Import part.
Local Open Scope Z_scope.

Definition is_greatest_of_prefixes (p : part) (n : Z) : Prop :=
  (forall set, is_prefix p set -> bytes_in p set <= n) /\ exists set, is_prefix p set /\ bytes_in p set = n.

Definition empty (e : event) : bool := false.
Definition everything (e : event) : bool := true.

(** A set with all events of the part holds its bytes, and one without any holds none. *)
Lemma bytes_in_constant p set b : (forall e, event_of p e -> set e = b) -> bytes_in p set = if b then held p else 0.
Proof.
  revert set. induction p as [n | p IHp q IHq | p IHp q IHq]; intros set H; simpl.
  - rewrite H by constructor. destruct b; reflexivity.
  - rewrite IHp, IHq; [destruct b; lia | |]; intros; apply H; constructor; auto.
  - rewrite IHp, IHq; [destruct b; lia | |]; intros; apply H; constructor; auto.
Qed.

Lemma bytes_in_empty p set : (forall e, event_of p e -> set e = false) -> bytes_in p set = 0.
Proof. exact (bytes_in_constant p set false). Qed.

Lemma bytes_in_all p set : (forall e, event_of p e -> set e = true) -> bytes_in p set = held p.
Proof. exact (bytes_in_constant p set true). Qed.

(** A set has an event of the part, or none. *)
Lemma has_event_or_none p set : (exists e, event_of p e /\ set e = true) \/ (forall e, event_of p e -> set e = false).
Proof.
  revert set. induction p as [n | a IHa b IHb | a IHa b IHb]; intros set.
  - destruct (set It) eqn:E; [left; exists It; split; [constructor | auto] | right; intros e H; inversion H; subst; auto].
  - destruct (IHa (fun e => set (InFirst e))) as [(e & He & E) | Ha]; [left; exists (InFirst e); split; [constructor |]; auto |].
    destruct (IHb (fun e => set (InSecond e))) as [(e & He & E) | Hb]; [left; exists (InSecond e); split; [constructor |]; auto |].
    right. intros e H. inversion H; subst; auto.
  - destruct (IHa (fun e => set (InFirst e))) as [(e & He & E) | Ha]; [left; exists (InFirst e); split; [constructor |]; auto |].
    destruct (IHb (fun e => set (InSecond e))) as [(e & He & E) | Hb]; [left; exists (InSecond e); split; [constructor |]; auto |].
    right. intros e H. inversion H; subst; auto.
Qed.

(** ** No prefix holds more *)

Lemma prefix_of_first_of_follow a b set : is_prefix (Follow a b) set -> is_prefix a (fun e => set (InFirst e)).
Proof. intros H e f Hf Hp. apply (H (InFirst e) (InFirst f)); constructor; auto. Qed.
Lemma prefix_of_second_of_follow a b set : is_prefix (Follow a b) set -> is_prefix b (fun e => set (InSecond e)).
Proof. intros H e f Hf Hp. apply (H (InSecond e) (InSecond f)); constructor; auto. Qed.
Lemma prefix_of_first_of_beside a b set : is_prefix (Beside a b) set -> is_prefix a (fun e => set (InFirst e)).
Proof. intros H e f Hf Hp. apply (H (InFirst e) (InFirst f)); constructor; auto. Qed.
Lemma prefix_of_second_of_beside a b set : is_prefix (Beside a b) set -> is_prefix b (fun e => set (InSecond e)).
Proof. intros H e f Hf Hp. apply (H (InSecond e) (InSecond f)); constructor; auto. Qed.

Lemma no_prefix_holds_more p : forall set, is_prefix p set -> bytes_in p set <= worst_peak p.
Proof.
  induction p as [n | a IHa b IHb | a IHa b IHb]; intros set H; simpl.
  - destruct (set It); lia.
  - destruct (has_event_or_none b (fun e => set (InSecond e))) as [(f & Hf & Ef) | Hb].
    + rewrite (bytes_in_all a).
      * specialize (IHb _ (prefix_of_second_of_follow _ _ _ H)). lia.
      * intros e He. apply (H (InFirst e) (InSecond f)); [constructor | constructor |]; auto.
    + rewrite (bytes_in_empty b) by auto. specialize (IHa _ (prefix_of_first_of_follow _ _ _ H)). lia.
  - specialize (IHa _ (prefix_of_first_of_beside _ _ _ H)). specialize (IHb _ (prefix_of_second_of_beside _ _ _ H)). lia.
Qed.

(** ** A prefix holds as much *)

Definition both (first second : event -> bool) (e : event) : bool :=
  match e with It => false | InFirst e => first e | InSecond e => second e end.

Lemma a_prefix_holds_as_much p : exists set, is_prefix p set /\ bytes_in p set = worst_peak p.
Proof.
  induction p as [n | a (set_a & Ha & Ea) b (set_b & Hb & Eb) | a (set_a & Ha & Ea) b (set_b & Hb & Eb)]; simpl.
  - destruct (Z.max_spec 0 n) as [[_ ->] | [_ ->]]; [exists everything | exists empty]; (split; [intros e f Hf Hp; inversion Hp | reflexivity]).
  - destruct (Z.max_spec (worst_peak a) (held a + worst_peak b)) as [[_ ->] | [_ ->]].
    + exists (both everything set_b). split.
      * intros e f Hf Hp E. inversion Hp; subst; simpl in *; auto. inversion Hf; subst. eapply Hb; eauto.
      * simpl. rewrite (bytes_in_all a) by auto. fold (both everything set_b). rewrite <- Eb. reflexivity.
    + exists (both set_a empty). split.
      * intros e f Hf Hp E. inversion Hp; subst; simpl in *; try discriminate. inversion Hf; subst. eapply Ha; eauto.
      * simpl. rewrite (bytes_in_empty b) by auto. rewrite Z.add_0_r. exact Ea.
  - exists (both set_a set_b). split.
    + intros e f Hf Hp E. inversion Hp; subst; simpl in *; inversion Hf; subst; [eapply Ha | eapply Hb]; eauto.
    + simpl. rewrite <- Ea, <- Eb. reflexivity.
Qed.

Theorem worst_peak_is_greatest p : is_greatest_of_prefixes p (worst_peak p).
Proof. split; [apply no_prefix_holds_more | apply a_prefix_holds_as_much]. Qed.
