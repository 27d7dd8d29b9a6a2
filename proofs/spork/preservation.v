(** * Preservation (Spork, Theorem 2.2): a step of a well-formed pool leads to a well-formed pool *)

From Coq Require Import List Arith Lia ZArith.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics pools progress.

Section Program.
  Variable P : program.
  Hypothesis P_wf : wf_program P.

  (** ** Scopes may grow *)

  Lemma wf_call_grows n m c : n <= m -> wf_call P n c -> wf_call P m c.
  Proof.
    intros Hle [Hs Hg]. split; [| exact Hg]. unfold in_scope in *. eapply Forall_impl; [| exact Hs]. simpl; lia.
  Qed.

  Lemma wf_calls_grow n m cs : n <= m -> Forall (wf_call P n) cs -> Forall (wf_call P m) cs.
  Proof. intros Hle. apply Forall_impl. intros c. apply wf_call_grows, Hle. Qed.

  (** ** Entering a block *)

  Lemma length_of_entered B X ys : scope B <= length X -> length (entered B X ys) = scope B + length ys.
  Proof. intros H. unfold entered. rewrite app_length, firstn_length. lia. Qed.

  Lemma length_of_values X xs : length (values_of X xs) = length xs.
  Proof. unfold values_of. apply map_length. Qed.

  (** The code of a block that follows is well-formed in the environment with which it begins, and so are the calls of its nesting. *)
  Lemma entering_is_wf n f X rho b r B ys : nth_error P n = Some f -> wf_continuation f (length X) rho b r -> block_at P n b B ->
    length ys = r -> wf_code P f (length (entered B X ys)) rho (body B) /\ Forall (wf_call P (length (entered B X ys))) rho.
  Proof.
    intros Hf (B' & HB' & Hscope & Hparams & Hnest) (f' & Hf' & HB) Hr.
    assert (f' = f) as -> by congruence. assert (B' = B) as -> by congruence.
    destruct (function_is_wf P P_wf _ _ Hf) as [Hblocks _]. rewrite Forall_forall in Hblocks.
    destruct (Hblocks B (nth_error_In _ _ HB)) as [Hcode Hcalls].
    rewrite length_of_entered by auto. rewrite Hr, <- Hparams, <- Hnest.
    split; [exact Hcode |]. eapply wf_calls_grow; [| exact Hcalls]. lia.
  Qed.

  (** ** Threads *)

  Lemma spawned_is_wf c X B n : wf_call P n c -> block_at P (callee c) 0 B -> wf_thread P (spawned c X B).
  Proof.
    intros [_ (g & Hg & Hin)] HB. exists g. simpl. split; [exact Hg |]. split; [split; [constructor | left; reflexivity] |].
    split; [constructor |]. destruct (function_is_wf P P_wf _ _ Hg) as [_ Hentry].
    unfold open_sporks; simpl. rewrite Hin in Hentry. rewrite <- (length_of_values X) in Hentry. eapply entering_is_wf; eauto.
  Qed.

  Lemma thread_step_keeps_wf t t' : thread_step P t t' -> wf_thread P t -> wf_thread P t'.
  Proof.
    intros Hstep (f & Hf & Hd & Hs & Hc). destruct Hstep; simpl in *.
    - (* assign *)
      inversion Hc; subst. exists f. simpl. split; [exact Hf |]. split; [| split; [exact Hs |]].
      + destruct Hd as [Hcalls Hold]. split; [| exact Hold]. simpl. eapply wf_calls_grow; [| exact Hcalls]. rewrite app_length. lia.
      + simpl. rewrite app_length. simpl. rewrite Nat.add_1_r. auto.
    - (* goto *)
      inversion Hc; subst. destruct (entering_is_wf _ _ _ _ _ _ B (values_of (env F) xs) Hf H5 H) as [Hcode Hcalls]; [apply length_of_values |].
      exists f. simpl. split; [exact Hf |]. split; [| split; [exact Hs | exact Hcode]].
      split; [exact Hcalls | exact (proj2 Hd)].
    - (* then *)
      inversion Hc; subst. destruct (entering_is_wf _ _ _ _ _ _ B [] Hf H7 H0 eq_refl) as [Hcode Hcalls].
      exists f. simpl. split; [exact Hf |]. split; [| split; [exact Hs | exact Hcode]].
      split; [exact Hcalls | exact (proj2 Hd)].
    - (* else *)
      inversion Hc; subst. destruct (entering_is_wf _ _ _ _ _ _ B [] Hf H8 H0 eq_refl) as [Hcode Hcalls].
      exists f. simpl. split; [exact Hf |]. split; [| split; [exact Hs | exact Hcode]].
      split; [exact Hcalls | exact (proj2 Hd)].
    - (* call *)
      inversion Hc; subst. destruct (spawned_is_wf c (env F) B _ H2 H) as (g' & Hg' & Hd' & _ & Hcode). simpl in *.
      assert (g' = g) as -> by congruence. exists g. simpl. split; [exact Hg' |]. split; [| split; [| exact Hcode]].
      + split; [constructor | left; reflexivity].
      + econstructor; eauto.
    - (* return *)
      inversion Hc; subst. inversion Hs as [| r G' b' K' g Hg Hgd Hnext Hstack]; subst.
      destruct (entering_is_wf _ _ _ _ _ _ B (values_of (env G) ys) Hg Hnext H) as [Hcode Hcalls]; [rewrite length_of_values; congruence |].
      exists g. simpl. split; [exact Hg |]. split; [| split; [exact Hstack | exact Hcode]].
      split; [exact Hcalls | exact (proj2 Hgd)].
    - (* spork *)
      inversion Hc; subst. destruct (entering_is_wf _ _ _ _ _ _ B [] Hf H5 H eq_refl) as [Hcode Hcalls].
      exists f. simpl. split; [exact Hf |]. unfold open_sporks in *. simpl. rewrite app_assoc.
      split; [| split; [exact Hs | exact Hcode]]. split; simpl; unfold open_sporks; simpl; [rewrite app_assoc; exact Hcalls | exact (proj2 Hd)].
    - (* spoin, unpromoted *)
      inversion Hc as [| | | | | | n rho c0 g b1' b2' Hg Hnext1 Hnext2]; subst.
      match goal with E : _ = open_sporks F |- _ => unfold open_sporks in E; rewrite H, app_assoc in E; apply app_inj_tail in E as [E ->] end.
      subst rho. destruct (entering_is_wf _ _ _ _ _ _ B [] Hf Hnext1 H0 eq_refl) as [Hcode Hcalls].
      exists f. simpl. split; [exact Hf |]. split; [| split; [exact Hs | exact Hcode]]. split; [exact Hcalls | exact (proj2 Hd)].
  Qed.

  (** ** Promotions are oldest first *)

  (** Above a frame with an unpromoted call, no frame has a promoted one. *)
  Lemma nothing_promoted_above r F b K : unpromoted F <> [] ->
    forall K', wf_stack P r (K' ++ (F, b) :: K) -> promoted_of (K' ++ (F, b) :: K) = promoted_of K ++ promoted F.
  Proof.
    intros HF K'. revert r. induction K' as [| [G b'] K' IH]; intros r H; [reflexivity |].
    inversion H as [| r' G' b'' K'' g Hg Hgd Hnext Hstack]; subst. simpl. rewrite (IH _ Hstack).
    destruct Hgd as [_ [E | E]]; [rewrite E, app_nil_r; reflexivity |].
    exfalso. clear - E HF. induction K' as [| [G' b'] K' IH]; simpl in E; apply app_eq_nil in E as [E E']; [auto | apply IH, E].
  Qed.

  Lemma nothing_unpromoted_above_is_false F b K : unpromoted F <> [] -> forall K', unpromoted_of (K' ++ (F, b) :: K) <> [].
  Proof.
    intros HF K'. induction K' as [| [G b'] K' IH]; simpl; intros E; apply app_eq_nil in E as [E E']; [auto | apply IH, E].
  Qed.

  Lemma promote_facts F c F' : promote F = Some (c, F') ->
    exists v, unpromoted F = c :: v /\ of F' = of F /\ env F' = env F /\ promoted F' = promoted F ++ [c] /\ unpromoted F' = v.
  Proof.
    unfold promote. destruct (unpromoted F) as [| d v] eqn:E; [discriminate |]. intros H. injection H as <- <-. exists v. auto.
  Qed.

  Lemma promote_keeps_open F c F' : promote F = Some (c, F') -> open_sporks F' = open_sporks F.
  Proof.
    intros H. destruct (promote_facts _ _ _ H) as (v & E1 & _ & _ & E4 & E5). unfold open_sporks. rewrite E1, E4, E5, <- app_assoc. reflexivity.
  Qed.

  Lemma promote_keeps_deque K F c F' : unpromoted_of K = [] -> promote F = Some (c, F') -> wf_deque P K F -> wf_deque P K F'.
  Proof.
    intros HK H [Hcalls _]. unfold wf_deque. rewrite (promote_keeps_open _ _ _ H). destruct (promote_facts _ _ _ H) as (v & _ & _ & -> & _).
    auto.
  Qed.

  Lemma promoted_call_is_wf K F c F' : promote F = Some (c, F') -> wf_deque P K F -> wf_call P (length (env F)) c.
  Proof.
    intros H [Hcalls _]. destruct (promote_facts _ _ _ H) as (v & E & _). unfold open_sporks in Hcalls. rewrite E in Hcalls.
    rewrite Forall_forall in Hcalls. apply Hcalls. apply in_or_app. right. left. reflexivity.
  Qed.

  (** A promotion in the middle of a stack keeps the stack well-formed. *)
  Lemma promote_keeps_stack F c F' b K : unpromoted_of K = [] -> promote F = Some (c, F') ->
    forall K' r, wf_stack P r (K' ++ (F, b) :: K) -> wf_stack P r (K' ++ (F', b) :: K).
  Proof.
    intros HK Hp. destruct (promote_facts _ _ _ Hp) as (v & E1 & E2 & E3 & E4 & E5).
    induction K' as [| [G b'] K' IH]; intros r H; simpl in *; inversion H as [| r' G' b'' K'' g Hg Hgd Hnext Hstack]; subst.
    - econstructor; [rewrite E2; exact Hg | eapply promote_keeps_deque; eauto | rewrite E3, (promote_keeps_open _ _ _ Hp); exact Hnext | exact Hstack].
    - econstructor; eauto. destruct Hgd as [Hcalls [E | E]]; [split; auto |].
      exfalso. eapply nothing_unpromoted_above_is_false; [| exact E]. rewrite E1. discriminate.
  Qed.

  Lemma frame_in_stack_is_wf F b K : forall K' r, wf_stack P r (K' ++ (F, b) :: K) -> exists f, nth_error P (of F) = Some f /\ wf_deque P K F.
  Proof.
    induction K' as [| [G b'] K' IH]; intros r H; simpl in *; inversion H as [| r' G' b'' K'' g Hg Hgd Hnext Hstack]; subst; eauto.
  Qed.

  (** ** A step keeps the first function of a pool, and the calls that wait for a parent *)

  Lemma oldest_in_middle F F' b K : of F' = of F -> forall K' f, oldest (K' ++ (F', b) :: K) f = oldest (K' ++ (F, b) :: K) f.
  Proof. intros E K'. induction K' as [| [G b'] K' IH]; intros f; simpl; [rewrite E; reflexivity | apply IH]. Qed.

  Lemma thread_step_keeps_root t t' : thread_step P t t' -> root (Leaf t') = root (Leaf t).
  Proof. intros H. destruct H; reflexivity. Qed.

  Lemma step_keeps_root R R' : step P R R' -> root R' = root R.
  Proof.
    induction 1; simpl; auto using thread_step_keeps_root.
    - apply (thread_step_keeps_root t t' H).
    - apply oldest_in_middle. destruct (promote_facts _ _ _ H0) as (v & _ & E & _). exact E.
    - destruct (promote_facts _ _ _ H0) as (v & _ & -> & _). reflexivity.
  Qed.

  Lemma thread_step_keeps_waiting t t' : thread_step P t t' -> waiting (Leaf t') = waiting (Leaf t).
  Proof.
    intros H. destruct H; simpl; auto.
    - rewrite app_nil_r. reflexivity.
    - rewrite H0, app_nil_r. reflexivity.
  Qed.

  Lemma step_keeps_waiting R R' : step P R R' -> wf_pool P R -> waiting R' = waiting R.
  Proof.
    induction 1; intros Hwf; simpl; auto.
    - apply (thread_step_keeps_waiting t t' H).
    - inversion Hwf; subst. rewrite IHstep by auto. reflexivity.
    - (* promote a frame below *)
      inversion Hwf as [t (f & Hf & Hd & Hs & Hc) |]; subst. simpl in *.
      destruct (promote_facts _ _ _ H0) as (v & E1 & E2 & E3 & E4 & E5).
      assert (Hne : unpromoted F <> []) by (rewrite E1; discriminate).
      pose proof (promote_keeps_stack _ _ _ _ _ H H0 _ _ Hs) as Hs'.
      rewrite (nothing_promoted_above _ _ _ _ Hne _ Hs).
      assert (E : promoted_of (K' ++ (F', b) :: K) = promoted_of K ++ promoted F').
      { clear - Hs Hs' Hne E4. revert Hs Hs'. generalize (outputs f). induction K' as [| [G' b'] K' IH]; intros r Hs Hs'; [reflexivity |].
        inversion Hs as [| r' G'' b'' K'' g Hg Hgd Hnext Hstack]; subst. inversion Hs' as [| r'' G'' b'' K'' g' Hg' Hgd' Hnext' Hstack']; subst.
        assert (g' = g) as -> by congruence. simpl. rewrite (IH _ Hstack Hstack').
        destruct Hgd as [_ [E | E]]; [rewrite E, app_nil_r; reflexivity |].
        exfalso. eapply nothing_unpromoted_above_is_false; eauto. }
      rewrite E, E4. destruct Hd as [_ [EG | EG]]; [| exfalso; eapply nothing_unpromoted_above_is_false; eauto].
      rewrite EG, !app_nil_r, app_assoc. apply removelast_last.
    - (* promote the current frame *)
      destruct (promote_facts _ _ _ H0) as (v & E1 & E2 & E3 & E4 & E5). rewrite E4, app_assoc. apply removelast_last.
    - rewrite H, app_assoc. symmetry. apply removelast_last.
  Qed.

  (** ** The theorem *)

  Theorem preservation R R' : step P R R' -> wf_pool P R -> wf_pool P R'.
  Proof.
    induction 1 as [t t' H | p p' c H IH | p c c' H IH | K' F b K G C c F' B HK Hp HB | K F C c F' B HK Hp HB | K F b1 b2 pi c B G ys E1 E2 HB E3 E4 E5];
      intros Hwf.
    - inversion Hwf; subst. constructor. eapply thread_step_keeps_wf; eauto.
    - inversion Hwf as [| p0 c0 pi x Hp Hc Hw Hx Hr]; subst.
      econstructor; eauto. rewrite (step_keeps_waiting _ _ H) by auto. exact Hx.
    - inversion Hwf as [| p0 c0 pi x Hp Hc Hw Hx Hr]; subst.
      econstructor; eauto; [rewrite (step_keeps_waiting _ _ H) by auto; exact Hw | rewrite (step_keeps_root _ _ H); exact Hr].
    - (* promote a frame below *)
      pose proof (step_keeps_waiting _ _ (promote_below P _ _ b _ G C _ _ _ HK Hp HB) Hwf) as Hwaiting.
      inversion Hwf as [t (f & Hf & Hd & Hs & Hc) |]; subst. simpl in *.
      destruct (promote_facts _ _ _ Hp) as (v & F1 & F2 & F3 & F4 & F5).
      destruct (frame_in_stack_is_wf _ _ _ _ _ Hs) as (h & Hh & HFd).
      assert (Hne : forall K', unpromoted_of (K' ++ (F, b) :: K) <> []) by (apply nothing_unpromoted_above_is_false; rewrite F1; discriminate).
      assert (HG : promoted G = []) by (destruct Hd as [_ [E | E]]; [exact E | exfalso; eapply Hne; eauto]).
      econstructor.
      + constructor. exists f. simpl. split; [exact Hf |]. split; [split; [exact (proj1 Hd) | auto] |].
        split; [eapply promote_keeps_stack; eauto | exact Hc].
      + constructor. eapply spawned_is_wf; eauto. eapply promoted_call_is_wf; eauto.
      + reflexivity.
      + simpl. rewrite HG, app_nil_r.
        pose proof (promote_keeps_stack _ _ _ _ _ HK Hp _ _ Hs) as Hs'.
        assert (E : promoted_of (K' ++ (F', b) :: K) = promoted_of K ++ promoted F').
        { clear - Hs Hs' Hne F4. revert Hs Hs'. generalize (outputs f). induction K' as [| [G' b'] K' IH]; intros r Hs Hs'; [reflexivity |].
          inversion Hs as [| r' G'' b'' K'' g Hg Hgd Hnext Hstack]; subst. inversion Hs' as [| r'' G'' b'' K'' g' Hg' Hgd' Hnext' Hstack']; subst.
          assert (g' = g) as -> by congruence. simpl. rewrite (IH _ Hstack Hstack').
          destruct Hgd as [_ [E | E]]; [rewrite E, app_nil_r; reflexivity | exfalso; eapply Hne; eauto]. }
        rewrite E, F4, app_assoc. reflexivity.
      + reflexivity.
    - (* promote the current frame *)
      inversion Hwf as [t (f & Hf & Hd & Hs & Hc) |]; subst. simpl in *.
      destruct (promote_facts _ _ _ Hp) as (v & F1 & F2 & F3 & F4 & F5).
      econstructor.
      + constructor. exists f. simpl. rewrite F2, F3, (promote_keeps_open _ _ _ Hp). split; [exact Hf |]. split; [eapply promote_keeps_deque; eauto |].
        split; [exact Hs | exact Hc].
      + constructor. eapply spawned_is_wf; eauto. eapply promoted_call_is_wf; eauto.
      + reflexivity.
      + simpl. rewrite F4, app_assoc. reflexivity.
      + reflexivity.
    - (* spoin of a promoted call *)
      inversion Hwf as [| p0 c0 pi' x Hp Hc Hw Hx Hr]; subst.
      inversion Hp as [t (f & Hf & Hd & Hs & Hcode) |]; subst. inversion Hc as [t (g & Hg & _ & _ & Hreturn) |]; subst. simpl in *.
      inversion Hreturn as [| | | | n xs Hxs Hlen | |]; subst.
      inversion Hcode as [| | | | | | n rho c1 g1 b1' b2' Hg1 Hnext1 Hnext2]; subst.
      match goal with E : _ = open_sporks F |- _ => unfold open_sporks in E; rewrite E2, app_nil_r, E1 in E; apply app_inj_tail in E as [<- <-] end.
      assert (g1 = g) as -> by congruence.
      destruct (entering_is_wf _ _ _ _ _ _ B (values_of (env G) ys) Hf Hnext2 HB) as [Hcode' Hcalls]; [rewrite length_of_values; congruence |].
      constructor. exists f. simpl. split; [exact Hf |]. unfold open_sporks; simpl. rewrite app_nil_r.
      split; [| split; [exact Hs | exact Hcode']]. split; [unfold open_sporks; simpl; rewrite app_nil_r; exact Hcalls |].
      simpl. destruct Hd as [_ [E | E]]; [rewrite E in E1; destruct rho; discriminate | right; exact E].
  Qed.

  (** A program begins with the entry of its main function, whose pool is well-formed. *)
  Theorem first_pool_is_wf B : wf_program P -> block_at P 0 0 B -> wf_pool P (Leaf (spawned {| callee := 0; arguments := [] |} [] B)).
  Proof.
    intros [_ (main & Hmain & Hin)] HB. constructor. eapply spawned_is_wf with (n := 0); eauto.
    split; [constructor | exists main; auto].
  Qed.
End Program.
