(** * Promotion is invisible: every schedule that ends has the result of the sequential run

    A program is *coherent* if the two ways of each spoin are interchangeable: when the spawned call has the results [r], the unpromoted block ends with
    what the promoted block ends with for [r]. Without such a condition the two blocks could compute anything. par_is_coherent.v has a condition on the text
    of a program that suffices. *)

From Coq Require Import List Arith Lia ZArith Relations.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics pools progress preservation meaning.

Section Program.
  Variable P : program.

  (** The ways [b1] and [b2] of a spoin in function [n], whose spork spawned [c]. *)
  Definition interchangeable (n : nat) (c : call) (b1 b2 : nat) : Prop := forall X pi r zs E B1 B2,
    in_scope (length X) (arguments c) -> block_at P (callee c) 0 E -> ends P (callee c) (entered E (values_of X (arguments c)) []) [] [] (body E) r ->
    block_at P n b1 B1 -> scope B1 <= length X -> block_at P n b2 B2 -> scope B2 <= length X -> length r = parameters B2 ->
    ends P n (entered B2 X r) pi [] (body B2) zs -> ends P n (entered B1 X []) pi [] (body B1) zs.

  (** [coherent_code n rho C]: if [C], whose nesting is [rho], ends in a spoin, its ways are interchangeable. *)
  Fixpoint coherent_code (n : nat) (rho : list call) (C : code) : Prop :=
    match C with
    | Assign _ C => coherent_code n rho C
    | Spoin b1 b2 => forall outer c, rho = outer ++ [c] -> interchangeable n c b1 b2
    | _ => True
    end.

  Definition coherent : Prop := forall n b B, block_at P n b B -> coherent_code n (nesting B) (body B).

  Hypothesis P_wf : wf_program P.
  Hypothesis P_coherent : coherent.

  Lemma block_is_coherent n f b B : nth_error P n = Some f -> nth_error (blocks f) b = Some B -> coherent_code n (nesting B) (body B).
  Proof. intros Hf HB. apply (P_coherent n b). exists f. auto. Qed.

  (** ** Arguments of open sporks keep their values *)

  Lemma value_in_front X Y x : x < length X -> value_of (X ++ Y) x = value_of X x.
  Proof. intros H. unfold value_of. apply app_nth1, H. Qed.

  Lemma values_in_front X Y xs : in_scope (length X) xs -> values_of (X ++ Y) xs = values_of X xs.
  Proof. unfold in_scope, values_of. intros H. apply map_ext_in. rewrite Forall_forall in H. intros x Hx. apply value_in_front, H, Hx. Qed.

  Lemma values_after_entering B X ys xs : scope B <= length X -> in_scope (scope B) xs -> values_of (entered B X ys) xs = values_of X xs.
  Proof.
    intros Hle H. unfold entered. rewrite values_in_front by (rewrite firstn_length, Nat.min_l by auto; exact H).
    rewrite <- (firstn_skipn (scope B) X) at 2. symmetry. apply values_in_front. rewrite firstn_length, Nat.min_l by auto. exact H.
  Qed.

  (** The facts that hold at the beginning of a block which follows some code. *)
  Lemma following n f X rho b r B ys : nth_error P n = Some f -> wf_continuation f (length X) rho b r -> block_at P n b B -> length ys = r ->
    wf_code P f (length (entered B X ys)) rho (body B) /\ coherent_code n rho (body B) /\
    forall c, In c rho -> in_scope (length (entered B X ys)) (arguments c) /\
                          values_of (entered B X ys) (arguments c) = values_of X (arguments c).
  Proof.
    intros Hf Hcont HB Hlen. destruct (entering_is_wf P P_wf _ _ _ _ _ _ B ys Hf Hcont HB Hlen) as [Hcode Hin].
    destruct Hcont as (B' & HB' & Hscope & Hparams & Hnest). destruct HB as (f'' & Hf'' & HB).
    assert (f'' = f) as -> by congruence. assert (B' = B) as -> by congruence.
    split; [exact Hcode |]. split; [rewrite <- Hnest; eapply block_is_coherent; eauto |].
    intros c Hc. split; [rewrite Forall_forall in Hin; exact (proj1 (Hin c Hc)) |]. apply values_after_entering; [exact Hscope |].
    destruct (function_is_wf P P_wf _ _ Hf) as [Hblocks _]. rewrite Forall_forall in Hblocks.
    destruct (Hblocks B (nth_error_In _ _ HB)) as [_ Hcalls]. rewrite Forall_forall in Hcalls. rewrite <- Hnest in Hc. exact (proj1 (Hcalls c Hc)).
  Qed.

  Lemma block_of n f b B : block_at P n b B -> nth_error P n = Some f -> nth_error (blocks f) b = Some B.
  Proof. intros (f' & H1 & H2) H. congruence. Qed.

  (** ** A promoted spork may be unpromoted *)

  Lemma in_middle {A} (l m : list A) x : In x (l ++ x :: m).
  Proof. apply in_or_app. right. left. reflexivity. Qed.

  (** The oldest unpromoted call [c] of a frame may have been promoted before, if its thread returned [r]. [pc] are the calls with the results [pi]. *)
  Lemma promotion_undone n X q v C zs : ends P n X q v C zs -> forall f pi r pc c E, q = pi ++ [r] -> nth_error P n = Some f -> length pc = length pi ->
    wf_code P f (length X) (pc ++ c :: v) C -> coherent_code n (pc ++ c :: v) C -> in_scope (length X) (arguments c) ->
    block_at P (callee c) 0 E -> ends P (callee c) (entered E (values_of X (arguments c)) []) [] [] (body E) r -> ends P n X pi (c :: v) C zs.
  Proof.
    induction 1 as [n X q v e C zs H IH | n X q v b xs B zs HB H IH | n X q v e b1 b2 B zs He HB H IH | n X q v e b1 b2 B zs He HB H IH
      | n X q v d b D B ys zs HD Hd _ HB Hys H IH | n X xs | n X q v b d B zs HB H IH | n X q v d b1 b2 B zs HB H IH | n X q ys b1 b2 B zs HB Hys H IH];
      intros g pi r pc c E Eq Hg Hlen Hwf Hco Hin HE Hr; simpl in Hco.
    - (* assign *)
      inversion Hwf; subst. constructor. eapply IH; eauto.
      + rewrite app_length. simpl. rewrite Nat.add_1_r. assumption.
      + unfold in_scope in *. eapply Forall_impl; [| exact Hin]. rewrite app_length. simpl; lia.
      + rewrite values_in_front by exact Hin. exact Hr.
    - (* goto *)
      inversion Hwf as [| m rho b' xs' Hxs Hb | | | | |]; subst.
      destruct (following _ _ X _ _ _ B (values_of X xs) Hg Hb HB (length_of_values X xs)) as (Hc & Hco' & Hargs).
      destruct (Hargs c (in_middle _ _ _)) as [Hin' Hvals]. econstructor; [exact HB |]. eapply IH; eauto. rewrite Hvals. exact Hr.
    - (* then *)
      inversion Hwf as [| | m rho e' b1' b2' Hee Hb1 Hb2 | | | |]; subst.
      destruct (following _ _ X _ _ _ B [] Hg Hb1 HB eq_refl) as (Hc & Hco' & Hargs).
      destruct (Hargs c (in_middle _ _ _)) as [Hin' Hvals]. eapply ends_then; [exact He | exact HB |]. eapply IH; eauto. rewrite Hvals. exact Hr.
    - (* else *)
      inversion Hwf as [| | m rho e' b1' b2' Hee Hb1 Hb2 | | | |]; subst.
      destruct (following _ _ X _ _ _ B [] Hg Hb2 HB eq_refl) as (Hc & Hco' & Hargs).
      destruct (Hargs c (in_middle _ _ _)) as [Hin' Hvals]. eapply ends_else; [exact He | exact HB |]. eapply IH; eauto. rewrite Hvals. exact Hr.
    - (* call *)
      inversion Hwf as [| | | m rho d' h b' Hd' Hh Hb | | |]; subst.
      assert (Hout : length ys = outputs h).
      { destruct Hb as (B' & HB' & _ & Hparams & _). rewrite (block_of _ _ _ _ HB Hg) in HB'. injection HB' as <-. congruence. }
      destruct (following _ _ X _ _ _ B ys Hg Hb HB Hout) as (Hc & Hco' & Hargs).
      destruct (Hargs c (in_middle _ _ _)) as [Hin' Hvals]. eapply ends_call; [exact HD | exact Hd | exact HB | exact Hys |]. eapply IH; eauto.
      rewrite Hvals. exact Hr.
    - (* return *)
      destruct pi; discriminate.
    - (* spork *)
      inversion Hwf as [| | | | | m rho b' d' Hd' Hb |]; subst. rewrite <- app_assoc in Hb. simpl in Hb.
      destruct (following _ _ X _ _ _ B [] Hg Hb HB eq_refl) as (Hc & Hco' & Hargs).
      destruct (Hargs c (in_middle _ _ _)) as [Hin' Hvals]. econstructor; [exact HB |]. eapply IH; eauto. rewrite Hvals. exact Hr.
    - (* spoin of an unpromoted call *)
      inversion Hwf as [| | | | | | m rho d' h b1' b2' Hh Hb1 Hb2 Hm Hrho]; subst.
      rewrite app_comm_cons, app_assoc in Hrho. apply app_inj_tail in Hrho as [-> ->].
      destruct (following _ _ X _ _ _ B [] Hg Hb1 HB eq_refl) as (Hc & Hco' & Hargs).
      destruct (Hargs c (in_middle _ _ _)) as [Hin' Hvals]. rewrite app_comm_cons. eapply ends_spoin_unpromoted; [exact HB |]. eapply IH; eauto.
      rewrite Hvals. exact Hr.
    - (* spoin of the promoted call: the unpromoted block ends with the same *)
      apply app_inj_tail in Eq as [-> ->].
      inversion Hwf as [| | | | | | m rho d' h b1' b2' Hh Hb1 Hb2 Hm Hrho]; subst. apply app_inj_tail in Hrho as [-> ->].
      destruct Hb1 as (B1 & HB1 & Hscope1 & _ & _). destruct Hb2 as (B2 & HB2 & Hscope2 & _ & _).
      assert (B2 = B) as -> by (rewrite (block_of _ _ _ _ HB Hg) in HB2; congruence). assert (HB1' : block_at P n b1 B1) by (exists g; auto).
      change [c] with ([] ++ [c]). eapply ends_spoin_unpromoted; [exact HB1' |]. eapply (Hco pc c eq_refl); eauto.
  Qed.

  (** ** Every step can be undone *)

  Definition coherent_thread (t : thread) : Prop :=
    coherent_code (of (current t)) (open_sporks (current t)) (code_left t).

  Fixpoint coherent_pool (R : pool) : Prop := match R with Leaf t => coherent_thread t | Fork p c => coherent_pool p /\ coherent_pool c end.

  Lemma split_last {A} (l : list A) n : length l = S n -> exists l' x, l = l' ++ [x] /\ length l' = n.
  Proof.
    intros H. destruct (empty_or_snoc l) as [-> | (l' & x & ->)]; [discriminate |]. rewrite app_length in H. simpl in H.
    exists l', x. split; [reflexivity | lia].
  Qed.

  Lemma length_zero {A} (l : list A) : length l = 0 -> l = [].
  Proof. destruct l; [reflexivity | discriminate]. Qed.

  Lemma thread_step_undone t t' : thread_step P t t' -> wf_thread P t -> forall rs zs, pool_ends P (Leaf t') rs zs -> pool_ends P (Leaf t) rs zs.
  Proof.
    intros H (f & Hf & Hd & Hs & Hc) rs zs He. inversion He as [t0 rs' pi ys zs0 Hlen Hends Hstack |]; subst.
    destruct H as [K F e C | K F b xs B HB | K F e b1 b2 B Hv HB | K F e b1 b2 B Hv HB | K F c b E HE | K F b G xs B HB HG1 HG2 | K F b c B HB
      | K F b1 b2 v c B HF HB]; simpl in *.
    - apply leaf_ends with (t := {| below := K; current := F; code_left := Assign e C |}) (ys := ys); simpl; auto. constructor. exact Hends.
    - apply leaf_ends with (t := {| below := K; current := F; code_left := Goto b xs |}) (ys := ys); simpl; auto. econstructor; eauto.
    - apply leaf_ends with (t := {| below := K; current := F; code_left := If e b1 b2 |}) (ys := ys); simpl; auto. eapply ends_then; eauto.
    - apply leaf_ends with (t := {| below := K; current := F; code_left := If e b1 b2 |}) (ys := ys); simpl; auto. eapply ends_else; eauto.
    - (* call *)
      apply length_zero in Hlen. subst pi. rewrite app_nil_r.
      inversion Hstack as [| rs0 pi F0 b0 K0 B ys0 ws zs0 HB Hpi Hys Hbody Hrest]; subst.
      apply leaf_ends with (t := {| below := K; current := F; code_left := Call c b |}) (ys := ws); simpl; auto. eapply ends_call; eauto.
    - (* return *)
      rewrite <- (app_nil_r (rs' ++ pi)).
      apply leaf_ends with (t := {| below := (F, b) :: K; current := G; code_left := Return xs |}) (ys := values_of (env G) xs); simpl.
      + rewrite HG1. reflexivity.
      + rewrite HG2. constructor.
      + inversion Hc; subst. inversion Hs as [| r F0 b0 K0 g Hg Hgd Hnext Hrest]; subst.
        econstructor; eauto. rewrite length_of_values. destruct Hnext as (B' & HB' & _ & Hparams & _).
        rewrite (block_of _ _ _ _ HB Hg) in HB'. injection HB' as <-. congruence.
    - apply leaf_ends with (t := {| below := K; current := F; code_left := Spork b c |}) (ys := ys); simpl; auto. econstructor; eauto.
    - apply leaf_ends with (t := {| below := K; current := F; code_left := Spoin b1 b2 |}) (ys := ys); simpl; auto. rewrite HF.
      eapply ends_spoin_unpromoted; eauto.
  Qed.

  (** A spawned thread that returns [ys] is a run of the called function. *)
  Lemma spawned_ends c X E ys : pool_ends P (Leaf (spawned c X E)) [] ys ->
    ends P (callee c) (entered E (values_of X (arguments c)) []) [] [] (body E) ys.
  Proof.
    intros H. inversion H as [t rs pi zs ys0 Hlen Hends Hstack Ht Hrs |]; subst. simpl in *. apply length_zero in Hlen. subst pi.
    apply app_eq_nil in Hrs as [-> _]. inversion Hstack; subst. exact Hends.
  Qed.

  (** In the frames above one with an unpromoted call, nothing was promoted. *)
  Lemma promotion_undone_in_stack F b K c F' E r : unpromoted_of K = [] -> promote F = Some (c, F') -> block_at P (callee c) 0 E ->
    ends P (callee c) (entered E (values_of (env F) (arguments c)) []) [] [] (body E) r ->
    forall K' n ys zs rs, wf_stack P n (K' ++ (F, b) :: K) -> stack_ends P (rs ++ [r]) (K' ++ (F', b) :: K) ys zs ->
    stack_ends P rs (K' ++ (F, b) :: K) ys zs.
  Proof.
    intros HK Hp HE Hr. destruct (promote_facts _ _ _ Hp) as (v & F1 & F2 & F3 & F4 & F5).
    induction K' as [| [G b'] K' IH]; intros n ys zs rs Hwf H; simpl in *;
      inversion Hwf as [| n' F0 b0 K0 g Hg Hgd Hnext Hrest]; subst;
      inversion H as [| rs0 pi F0 b0 K0 B ys0 ws zs0 HB Hpi Hys Hbody Hstack Hrs]; subst.
    - rewrite F4, app_length, Nat.add_1_r in Hpi. destruct (split_last _ _ Hpi) as (pi' & x & -> & Hpi').
      rewrite app_assoc in Hrs. apply app_inj_tail in Hrs as [<- ->]. rewrite F2 in *. rewrite F3 in Hbody.
      unfold open_sporks in Hnext. rewrite F1 in Hnext.
      assert (Hout : length ys = n).
      { destruct Hnext as (B' & HB' & _ & Hparams & _). rewrite (block_of _ _ _ _ HB Hg) in HB'. injection HB' as <-. congruence. }
      destruct (following _ _ (env F) _ _ _ B ys Hg Hnext HB Hout) as (Hc & Hco & Hargs).
      destruct (Hargs c (in_middle _ _ _)) as [Hin Hvals].
      econstructor; eauto. rewrite F1. eapply promotion_undone; eauto. rewrite Hvals. exact Hr.
    - destruct Hgd as [_ [EG | EG]]; [| exfalso; eapply nothing_unpromoted_above_is_false; [| exact EG]; rewrite F1; discriminate].
      rewrite EG in Hpi. apply length_zero in Hpi. subst pi. rewrite app_nil_r in Hrs. subst rs0.
      rewrite <- (app_nil_r rs). econstructor; eauto. rewrite EG. reflexivity.
  Qed.

  Theorem step_undone R R' : step P R R' -> wf_pool P R -> coherent_pool R -> forall rs zs, pool_ends P R' rs zs -> pool_ends P R rs zs.
  Proof.
    induction 1 as [t t' H | p p' c H IH | p c c' H IH | K' F b K G C c F' B HK Hp HB | K F C c F' B HK Hp HB | K F b1 b2 pi c B G ys E1 E2 HB E3 E4 E5];
      intros Hwf Hco rs zs He.
    - inversion Hwf; subst. eapply thread_step_undone; eauto.
    - inversion Hwf; subst. destruct Hco. inversion He; subst. econstructor; eauto.
    - inversion Hwf; subst. destruct Hco. inversion He; subst. econstructor; eauto.
    - (* promote a frame below *)
      inversion Hwf as [t (f & Hf & Hd & Hs & Hc) |]; subst. simpl in *.
      inversion He as [| p c0 rs0 r zs0 Hchild Hparent]; subst. apply spawned_ends in Hchild.
      destruct (promote_facts _ _ _ Hp) as (v & F1 & F2 & F3 & F4 & F5).
      destruct Hd as [_ [EG | EG]]; [| exfalso; eapply nothing_unpromoted_above_is_false; [| exact EG]; rewrite F1; discriminate].
      inversion Hparent as [t0 rs1 pi ys zs0 Hlen Hends Hstack Ht Hrs |]; subst. simpl in *. rewrite EG in Hlen. apply length_zero in Hlen. subst pi.
      rewrite app_nil_r in Hrs. subst rs1. rewrite <- (app_nil_r rs).
      apply leaf_ends with (t := {| below := K' ++ (F, b) :: K; current := G; code_left := C |}) (ys := ys); simpl; [rewrite EG; reflexivity | exact Hends |].
      eapply promotion_undone_in_stack; eauto.
    - (* promote the current frame *)
      inversion Hwf as [t (f & Hf & Hd & Hs & Hc) |]; subst. simpl in *.
      inversion He as [| p c0 rs0 r zs0 Hchild Hparent]; subst. apply spawned_ends in Hchild.
      destruct (promote_facts _ _ _ Hp) as (v & F1 & F2 & F3 & F4 & F5).
      inversion Hparent as [t0 rs1 pi ys zs0 Hlen Hends Hstack Ht Hrs |]; subst. simpl in *.
      rewrite F4, app_length, Nat.add_1_r in Hlen. destruct (split_last _ _ Hlen) as (pi' & x & -> & Hlen').
      rewrite app_assoc in Hrs. apply app_inj_tail in Hrs as [<- ->]. rewrite F2, F3 in Hends.
      apply leaf_ends with (t := {| below := K; current := F; code_left := C |}) (ys := ys); simpl; [exact Hlen' | | exact Hstack].
      rewrite F1. unfold open_sporks in Hc. rewrite F1 in Hc.
      eapply promotion_undone; eauto.
      + unfold coherent_thread, open_sporks in Hco. simpl in Hco. rewrite F1 in Hco. exact Hco.
      + exact (proj1 (promoted_call_is_wf _ _ _ _ _ Hp Hd)).
    - (* spoin of a promoted call *)
      inversion Hwf as [| p0 c0 pi' x Hpp Hcc Hw Hx Hr]; subst.
      inversion Hpp as [t (f & Hf & Hd & Hs & Hcode) |]; subst. inversion Hcc as [t (g & Hg & _ & _ & Hreturn) |]; subst. simpl in *.
      inversion He as [t0 rs1 q zs1 zs0 Hlen Hends Hstack |]; subst. simpl in *.
      econstructor.
      + refine (leaf_ends P {| below := []; current := G; code_left := Return ys |} [] [] (values_of (env G) ys) (values_of (env G) ys) _ _ _); simpl.
        * rewrite E4. reflexivity.
        * rewrite E5. constructor.
        * constructor.
      + rewrite <- app_assoc. apply leaf_ends with (t := {| below := K; current := F; code_left := Spoin b1 b2 |}) (ys := zs1); simpl.
        * rewrite E1, !app_length. simpl. lia.
        * rewrite E2. eapply ends_spoin_promoted; [exact HB | | exact Hends].
          inversion Hreturn; subst. inversion Hcode as [| | | | | | n rho c1 g1 b1' b2' Hg1 Hnext1 Hnext2 Hn Hrho]; subst.
          unfold open_sporks in Hrho. rewrite E2, app_nil_r, E1 in Hrho. apply app_inj_tail in Hrho as [-> ->].
          assert (g1 = g) as -> by congruence. destruct Hnext2 as (B' & HB' & _ & Hparams & _).
          rewrite (block_of _ _ _ _ HB Hf) in HB'. injection HB' as <-. rewrite length_of_values. congruence.
        * exact Hstack.
  Qed.

  (** ** Coherence is kept *)

  Lemma spawned_is_coherent n c X B : wf_call P n c -> block_at P (callee c) 0 B -> coherent_thread (spawned c X B).
  Proof.
    intros [_ (g & Hg & Hin)] HB. unfold coherent_thread, open_sporks; simpl.
    destruct (function_is_wf P P_wf _ _ Hg) as [_ (B' & HB' & _ & _ & Hnest)]. rewrite (block_of _ _ _ _ HB Hg) in HB'. injection HB' as <-.
    rewrite <- Hnest. eapply block_is_coherent; [exact Hg | eapply block_of; eauto].
  Qed.

  (** The code of a block that follows is coherent. *)
  Lemma block_that_follows_is_coherent n f m rho b r B : nth_error P n = Some f -> wf_continuation f m rho b r -> block_at P n b B ->
    coherent_code n rho (body B).
  Proof.
    intros Hf (B' & HB' & _ & _ & Hnest) HB. rewrite (block_of _ _ _ _ HB Hf) in HB'. injection HB' as <-. rewrite <- Hnest.
    eapply block_is_coherent; [exact Hf | eapply block_of; eauto].
  Qed.

  Lemma thread_step_keeps_coherent t t' : thread_step P t t' -> wf_thread P t -> coherent_thread t -> coherent_thread t'.
  Proof.
    intros H (f & Hf & Hd & Hs & Hc) Hco. destruct H; unfold coherent_thread in *; simpl in *.
    - exact Hco.
    - inversion Hc; subst. eapply block_that_follows_is_coherent; eauto.
    - inversion Hc; subst. eapply (block_that_follows_is_coherent _ _ _ _ b1); eauto.
    - inversion Hc; subst. eapply (block_that_follows_is_coherent _ _ _ _ b2); eauto.
    - inversion Hc; subst. refine (spawned_is_coherent (length (env F)) c (env F) B _ _); assumption.
    - inversion Hs as [| r F0 b0 K0 g Hg Hgd Hnext Hrest]; subst. eapply block_that_follows_is_coherent; eauto.
    - inversion Hc; subst. unfold open_sporks in *; simpl. rewrite app_assoc.
      eapply block_that_follows_is_coherent; eauto.
    - inversion Hc as [| | | | | | n rho c0 g b1' b2' Hg Hnext1 Hnext2]; subst. 
      match goal with E : _ = open_sporks F |- _ => unfold open_sporks in E; rewrite H, app_assoc in E; apply app_inj_tail in E as [-> _] end.
      eapply (block_that_follows_is_coherent _ _ _ _ b1); eauto.
  Qed.

  Lemma step_keeps_coherent R R' : step P R R' -> wf_pool P R -> coherent_pool R -> coherent_pool R'.
  Proof.
    induction 1 as [t t' H | p p' c H IH | p c c' H IH | K' F b K G C c F' B HK Hp HB | K F C c F' B HK Hp HB | K F b1 b2 pi c B G ys E1 E2 HB E3 E4 E5];
      intros Hwf Hco; simpl in *.
    - inversion Hwf; subst. eapply thread_step_keeps_coherent; eauto.
    - inversion Hwf; subst. tauto.
    - inversion Hwf; subst. tauto.
    - inversion Hwf as [t (f & Hf & Hd & Hs & Hc) |]; subst. simpl in *. destruct (frame_in_stack_is_wf _ _ _ _ _ _ Hs) as (h & Hh & HFd).
      split; [exact Hco |]. eapply spawned_is_coherent; eauto. eapply promoted_call_is_wf; eauto.
    - inversion Hwf as [t (f & Hf & Hd & Hs & Hc) |]; subst. simpl in *. split.
      + unfold coherent_thread in *. simpl in *. rewrite (promote_keeps_open _ _ _ Hp). destruct (promote_facts _ _ _ Hp) as (v & _ & E & _). rewrite E. exact Hco.
      + eapply spawned_is_coherent; eauto. eapply promoted_call_is_wf; eauto.
    - inversion Hwf as [| p0 c0 pi' x Hpp Hcc Hw Hx Hr]; subst. inversion Hpp as [t (f & Hf & Hd & Hs & Hcode) |]; subst. simpl in *.
      unfold coherent_thread. simpl.
      inversion Hcode as [| | | | | | n rho c1 g1 b1' b2' Hg1 Hnext1 Hnext2 Hn Hrho]; subst.
      unfold open_sporks in *. simpl. rewrite E2, app_nil_r, E1 in Hrho. apply app_inj_tail in Hrho as [<- _]. rewrite app_nil_r.
      eapply block_that_follows_is_coherent; eauto.
  Qed.

  (** ** The theorems *)

  Definition first_pool (B : block) : pool := Leaf (spawned {| callee := 0; arguments := [] |} [] B).
  Definition steps : pool -> pool -> Prop := clos_refl_trans_1n _ (step P).

  (** The main function ends with these results if nothing is promoted. *)
  Definition sequential_result (B : block) (zs : values) : Prop := ends P 0 (entered B [] []) [] [] (body B) zs.

  Lemma steps_undone R R' : steps R R' -> wf_pool P R -> coherent_pool R -> forall rs zs, pool_ends P R' rs zs -> pool_ends P R rs zs.
  Proof.
    induction 1 as [R | R R1 R' H Hs IH]; intros Hwf Hco rs zs He; [exact He |].
    eapply step_undone; eauto. apply IH; [eapply preservation; eauto | eapply step_keeps_coherent; eauto | exact He].
  Qed.

  (** Whatever is promoted, a run that ends has the result of the sequential run. *)
  Theorem promotion_is_invisible B F xs : block_at P 0 0 B ->
    steps (first_pool B) (Leaf {| below := []; current := F; code_left := Return xs |}) -> promoted F = [] -> unpromoted F = [] ->
    sequential_result B (values_of (env F) xs).
  Proof.
    intros HB Hsteps E1 E2. destruct P_wf as [_ (main & Hmain & Hin)].
    assert (Hcall : wf_call P 0 {| callee := 0; arguments := [] |}) by (split; [constructor | exists main; auto]).
    pose proof (spawned_ends {| callee := 0; arguments := [] |} [] B (values_of (env F) xs)) as H. apply H. clear H.
    eapply steps_undone; [exact Hsteps | apply (first_pool_is_wf P P_wf B P_wf HB) | eapply spawned_is_coherent; eauto |].
    refine (leaf_ends P {| below := []; current := F; code_left := Return xs |} [] [] (values_of (env F) xs) (values_of (env F) xs) _ _ _); simpl.
    - rewrite E1. reflexivity.
    - rewrite E2. constructor.
    - constructor.
  Qed.

  (** So all runs that end have the same result. *)
  Corollary schedules_agree B F xs F' xs' : block_at P 0 0 B ->
    steps (first_pool B) (Leaf {| below := []; current := F; code_left := Return xs |}) -> promoted F = [] -> unpromoted F = [] ->
    steps (first_pool B) (Leaf {| below := []; current := F'; code_left := Return xs' |}) -> promoted F' = [] -> unpromoted F' = [] ->
    values_of (env F) xs = values_of (env F') xs'.
  Proof.
    intros HB H1 E1 E2 H2 E3 E4. eapply ends_once; [apply (promotion_is_invisible B F xs) | apply (promotion_is_invisible B F' xs')]; auto.
  Qed.
End Program.
