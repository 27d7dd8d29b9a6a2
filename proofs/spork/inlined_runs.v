(** * Inlining preserves results: a run that ends has the same results when a call is inlined

    The induction follows the run of the program as it was. What happens in the called function happens in the caller, behind the caller's temporaries and
    inside the caller's open sporks. *)

From Coq Require Import List Arith Lia ZArith.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics pools progress preservation meaning elision inlining.

(** ** Temporaries behind those of the caller *)

Lemma value_behind Z X x : value_of (Z ++ X) (length Z + x) = value_of X x.
Proof. unfold value_of. rewrite app_nth2_plus. reflexivity. Qed.

Lemma values_behind Z X xs : values_of (Z ++ X) (moved (length Z) xs) = values_of X xs.
Proof. unfold values_of, moved. rewrite map_map. apply map_ext. intros x. apply value_behind. Qed.

Lemma expression_behind Z X e : evaluate (Z ++ X) (moved_expression (length Z) e) = evaluate X e.
Proof. induction e; simpl; [reflexivity | apply value_behind | congruence]. Qed.

Lemma front_of_two (Z X : values) s : firstn (length Z + s) (Z ++ X) = Z ++ firstn s X.
Proof. rewrite firstn_app, firstn_all2 by lia. f_equal. f_equal. lia. Qed.

Section Inlining.
  Variable P : program.
  Hypothesis P_wf : wf_program P.
  Variables (i j k next : nat) (f g : function) (B : block) (c : call).
  Hypothesis f_is : nth_error P i = Some f.
  Hypothesis B_is : nth_error (blocks f) j = Some B.
  Hypothesis call_is : final_call (body B) = Some (k, c, next).
  Hypothesis g_is : nth_error P (callee c) = Some g.

  Let f' := inlined_function f j B g k next.
  Let P' := replace P i f'.
  Let n := scope B + parameters B + k.
  Let w := length (blocks f).

  (** ** Where the blocks are *)

  Lemma f'_is : nth_error P' i = Some f'.
  Proof. apply replace_same, nth_error_Some. congruence. Qed.

  Lemma arrival_is_at : block_at P' i w (arrival n (S w) (nesting B) g).
  Proof. exists f'. split; [exact f'_is |]. apply arrival_block. Qed.

  Lemma added_is_at b D : nth_error (blocks g) b = Some D -> block_at P' i (S w + b) (inlined_block n (S w) next (nesting B) D).
  Proof.
    intros H. exists f'. split; [exact f'_is |]. unfold f', inlined_function; cbn [blocks]. rewrite nth_error_app2 by (rewrite length_of_replace; fold w; lia).
    rewrite length_of_replace. fold w. replace (S w + b - w) with (S b) by lia. cbn [nth_error]. rewrite nth_error_map, H. reflexivity.
  Qed.

  (** A block of the program as it was is in the same place. It is the same, or the one that made the call. *)
  Lemma block_is_at m b D : block_at P m b D -> exists D', block_at P' m b D' /\ scope D' = scope D /\ parameters D' = parameters D /\
    (body D' = body D \/ m = i /\ D = B /\ body D' = jumping w (body B)).
  Proof.
    intros (h & Hh & HD). destruct (Nat.eq_dec i m) as [<- | Hm].
    - assert (h = f) as -> by congruence. assert (Hb : b < w) by (apply nth_error_Some; congruence).
      destruct (Nat.eq_dec j b) as [<- | Hj].
      + assert (D = B) as -> by congruence.
        exists {| scope := scope B; parameters := parameters B; nesting := nesting B; body := jumping w (body B) |}. repeat split; auto.
        exists f'. split; [exact f'_is |]. unfold f', inlined_function; cbn [blocks].
        rewrite nth_error_app1 by (rewrite length_of_replace; exact Hb). apply replace_same. exact Hb.
      + exists D. repeat split; auto. exists f'. split; [exact f'_is |]. unfold f', inlined_function; cbn [blocks].
        rewrite nth_error_app1 by (rewrite length_of_replace; exact Hb). rewrite replace_other by exact Hj. exact HD.
    - exists D. repeat split; auto. exists h. split; [| exact HD]. unfold P'. rewrite replace_other by exact Hm. exact Hh.
  Qed.

  (** ** The same results *)

  (** The caller ends with [zs] after the call, whose results are [ys]. *)
  Definition continues (Z ys : values) (pi : list values) (v : list call) (zs : values) : Prop :=
    exists D, block_at P' i next D /\ scope D <= n /\ length ys = parameters D /\ ends P' i (entered D Z ys) pi v (body D) zs.

  (** Code that ends with [zs] does so in its place, with its last call inlined, and as a part of the caller. *)
  Definition kept (m : nat) (X : values) (q : list values) (v : list call) (C : code) (zs : values) : Prop :=
    ends P' m X q v C zs /\
    (forall k', m = i -> final_call C = Some (k', c, next) -> length X + k' = n -> ends P' i X q v (jumping w C) zs) /\
    (m = callee c -> q = [] -> forall Z pi v' zs', length Z = n -> continues Z zs pi v' zs' ->
       ends P' i (Z ++ X) pi (v' ++ map (moved_call n) v) (inlined_code n (S w) next C) zs').

  Definition is_kept m X q v C zs : Prop := forall h rho, nth_error P m = Some h -> wf_code P h (length X) rho C -> kept m X q v C zs.

  Lemma block_is_kept m h X rho b r D ys q v zs : nth_error P m = Some h -> wf_continuation h (length X) rho b r -> block_at P m b D -> length ys = r ->
    is_kept m (entered D X ys) q v (body D) zs ->
    kept m (entered D X ys) q v (body D) zs /\ scope D <= length X /\ length ys = parameters D /\
    exists D', block_at P' m b D' /\ scope D' = scope D /\ parameters D' = parameters D /\ ends P' m (entered D' X ys) q v (body D') zs.
  Proof.
    intros Hh Hcont HD Hys Hkept. destruct (entering_is_wf P P_wf _ _ _ _ _ _ D ys Hh Hcont HD Hys) as [Hcode _].
    destruct Hcont as (D1 & HD1 & Hscope & Hparams & _). assert (D1 = D) as -> by (destruct HD as (h' & Hh' & HD); congruence).
    specialize (Hkept _ _ Hh Hcode). split; [exact Hkept |]. split; [exact Hscope |]. split; [congruence |].
    destruct (block_is_at _ _ _ HD) as (D' & HD' & Hs & Hp & Hbody). exists D'. repeat split; auto.
    assert (E : entered D' X ys = entered D X ys) by (unfold entered; rewrite Hs; reflexivity). rewrite E.
    destruct Hkept as (H1 & H2 & _). destruct Hbody as [-> | (-> & -> & ->)]; [exact H1 |].
    apply (H2 k eq_refl call_is). rewrite length_of_entered by exact Hscope. unfold n. lia.
  Qed.

  Lemma entry_of m h : nth_error P m = Some h -> wf_continuation h (inputs h) [] 0 0.
  Proof. intros H. exact (proj2 (function_is_wf P P_wf _ _ H)). Qed.

  Lemma block_of_g b D : block_at P (callee c) b D -> nth_error (blocks g) b = Some D.
  Proof. intros (h & Hh & HD). congruence. Qed.

  (** A block of the called function, entered as a part of the caller. *)
  Lemma entered_behind D Z X ys : length Z = n -> entered (inlined_block n (S w) next (nesting B) D) (Z ++ X) ys = Z ++ entered D X ys.
  Proof. intros HZ. unfold entered. cbn [scope inlined_block]. rewrite <- HZ, front_of_two, app_assoc. reflexivity. Qed.

  Theorem runs_are_kept m X q v C zs : ends P m X q v C zs -> is_kept m X q v C zs.
  Proof.
    induction 1 as [m X q v e C zs H IH | m X q v b xs D zs HD H IH | m X q v e b1 b2 D zs He HD H IH | m X q v e b1 b2 D zs He HD H IH
      | m X q v d b E D ys zs HE H1 IH1 HD Hys H2 IH2 | m X xs | m X q v b d D zs HD H IH | m X q v d b1 b2 D zs HD H IH | m X q ys b1 b2 D zs HD Hys H IH];
      intros h rho Hh Hwf; unfold kept.
    - (* assign *)
      inversion Hwf; subst. destruct (IH h rho Hh) as (A1 & A2 & A3); [rewrite app_length; simpl; rewrite Nat.add_1_r; assumption |].
      split; [constructor; exact A1 |]. split.
      + intros k' Hm Hcall Hlen. cbn [final_call] in Hcall. destruct (final_call C) as [[[k0 d0] b0] |]; [| discriminate]. injection Hcall as <- -> ->.
        cbn [jumping]. constructor. apply (A2 k0 Hm eq_refl). rewrite app_length. simpl. lia.
      + intros Hm Hq Z pi v' zs' HZ Hcont. cbn [inlined_code]. constructor. rewrite <- HZ at 1. rewrite expression_behind, <- app_assoc. auto.
    - (* goto *)
      inversion Hwf as [| m' rho' b' xs' Hxs Hb | | | | |]; subst.
      destruct (block_is_kept _ _ X _ _ _ D (values_of X xs) q v zs Hh Hb HD (length_of_values X xs) IH) as (Hk & _ & _ & D' & HD' & Hs & _ & HE).
      split; [econstructor; [exact HD' | exact HE] |]. split; [discriminate |].
      intros Hm Hq Z pi v' zs' HZ Hcont. subst m. cbn [inlined_code]. econstructor; [apply added_is_at, block_of_g, HD |].
      rewrite entered_behind by exact HZ. rewrite <- HZ at 1. rewrite values_behind. apply Hk; auto.
    - (* then *)
      inversion Hwf as [| | m' rho' e' b1' b2' Hee Hb1 Hb2 | | | |]; subst.
      destruct (block_is_kept _ _ X _ _ _ D [] q v zs Hh Hb1 HD eq_refl IH) as (Hk & _ & _ & D' & HD' & Hs & _ & HE).
      split; [eapply ends_then; [exact He | exact HD' | exact HE] |]. split; [discriminate |].
      intros Hm Hq Z pi v' zs' HZ Hcont. subst m. cbn [inlined_code]. eapply ends_then; [| apply added_is_at, block_of_g, HD |].
      + rewrite <- HZ, expression_behind. exact He.
      + rewrite entered_behind by exact HZ. apply Hk; auto.
    - (* else *)
      inversion Hwf as [| | m' rho' e' b1' b2' Hee Hb1 Hb2 | | | |]; subst.
      destruct (block_is_kept _ _ X _ _ _ D [] q v zs Hh Hb2 HD eq_refl IH) as (Hk & _ & _ & D' & HD' & Hs & _ & HE).
      split; [eapply ends_else; [exact He | exact HD' | exact HE] |]. split; [discriminate |].
      intros Hm Hq Z pi v' zs' HZ Hcont. subst m. cbn [inlined_code]. eapply ends_else; [| apply added_is_at, block_of_g, HD |].
      + rewrite <- HZ, expression_behind. exact He.
      + rewrite entered_behind by exact HZ. apply Hk; auto.
    - (* call *)
      inversion Hwf as [| | | m' rho' d' h' b' Hd Hh' Hb | | |]; subst.
      assert (Hin : wf_continuation h' (length (values_of X (arguments d))) [] 0 0).
      { rewrite length_of_values. destruct Hd as [_ (h2 & Hh2 & <-)]. assert (h2 = h') as -> by congruence. exact (entry_of _ _ Hh'). }
      destruct (block_is_kept _ _ (values_of X (arguments d)) _ _ _ E [] [] [] ys Hh' Hin HE eq_refl IH1) as (Hk1 & Hs1 & _ & E' & HE' & HsE & _ & HeE).
      assert (Hout : length ys = outputs h').
      { destruct Hb as (D2 & HD2 & _ & Hp & _). destruct HD as (h3 & Hh3 & HD3). assert (h3 = h) as -> by congruence. congruence. }
      destruct (block_is_kept _ _ X _ _ _ D ys q v zs Hh Hb HD Hout IH2) as (Hk2 & Hs2 & Hp2 & D' & HD' & HsD & HpD & HeD).
      split; [eapply ends_call; [exact HE' | exact HeE | exact HD' | congruence | exact HeD] |]. split.
      + (* the call that is inlined *)
        intros k' Hm Hcall Hlen. cbn [final_call] in Hcall. injection Hcall as <- -> ->. cbn [jumping]. rewrite Nat.add_0_r in Hlen. subst m.
        assert (h' = g) as -> by congruence. econstructor; [apply arrival_is_at |].
        assert (HX : entered (arrival n (S w) (nesting B) g) X (values_of X (arguments c)) = X ++ values_of X (arguments c)).
        { unfold entered, arrival. cbn [scope]. rewrite <- Hlen, firstn_all. reflexivity. }
        rewrite HX. cbn [body arrival]. econstructor; [rewrite <- (Nat.add_0_r (S w)) at 1; apply added_is_at, block_of_g, HE |].
        cbn [values_of map]. rewrite entered_behind by exact Hlen. cbn [body inlined_block].
        rewrite <- (app_nil_r v). apply (proj2 (proj2 Hk1) eq_refl eq_refl X q v zs Hlen).
        exists D'. repeat split; [exact HD' | rewrite HsD; lia | congruence | exact HeD].
      + (* a call of the called function *)
        intros Hm Hq Z pi v' zs' HZ Hcont. subst m. cbn [inlined_code]. eapply ends_call; [exact HE' | | apply added_is_at, block_of_g, HD | |].
        * cbn [callee moved_call arguments]. rewrite <- HZ at 1. rewrite values_behind. exact HeE.
        * cbn [parameters inlined_block]. congruence.
        * rewrite entered_behind by exact HZ. apply Hk2; auto.
    - (* return *)
      split; [constructor |]. split; [discriminate |].
      intros Hm _ Z pi v' zs' HZ (D & HD & Hs & Hp & HE). cbn [inlined_code map]. rewrite app_nil_r. econstructor; [exact HD |].
      rewrite <- HZ at 1. rewrite values_behind. unfold entered in *. rewrite firstn_app, (proj2 (Nat.sub_0_le _ _)) by lia.
      cbn [firstn]. rewrite app_nil_r. exact HE.
    - (* spork *)
      inversion Hwf as [| | | | | m' rho' b' d' Hd Hb |]; subst.
      destruct (block_is_kept _ _ X _ _ _ D [] q (v ++ [d]) zs Hh Hb HD eq_refl IH) as (Hk & _ & _ & D' & HD' & Hs & _ & HE).
      split; [econstructor; [exact HD' | exact HE] |]. split; [discriminate |].
      intros Hm Hq Z pi v' zs' HZ Hcont. subst m. cbn [inlined_code]. econstructor; [apply added_is_at, block_of_g, HD |].
      rewrite entered_behind by exact HZ. rewrite <- app_assoc. change [moved_call n d] with (map (moved_call n) [d]). rewrite <- map_app. apply Hk; auto.
    - (* spoin of an unpromoted call *)
      inversion Hwf as [| | | | | | m' rho' d' h' b1' b2' Hh' Hb1 Hb2]; subst.
      destruct (block_is_kept _ _ X _ _ _ D [] q v zs Hh Hb1 HD eq_refl IH) as (Hk & _ & _ & D' & HD' & Hs & _ & HE).
      split; [eapply ends_spoin_unpromoted; [exact HD' | exact HE] |]. split; [discriminate |].
      intros Hm Hq Z pi v' zs' HZ Hcont. subst m. cbn [inlined_code]. rewrite map_app, app_assoc. cbn [map].
      eapply ends_spoin_unpromoted; [apply added_is_at, block_of_g, HD |]. rewrite entered_behind by exact HZ. apply Hk; auto.
    - (* spoin of a promoted call *)
      inversion Hwf as [| | | | | | m' rho' d' h' b1' b2' Hh' Hb1 Hb2]; subst.
      assert (Hout : length ys = outputs h').
      { destruct Hb2 as (D2 & HD2 & _ & Hp & _). destruct HD as (h3 & Hh3 & HD3). assert (h3 = h) as -> by congruence. congruence. }
      destruct (block_is_kept _ _ X _ _ _ D ys q [] zs Hh Hb2 HD Hout IH) as (Hk & _ & _ & D' & HD' & Hs & Hp & HE).
      split; [eapply ends_spoin_promoted; [exact HD' | congruence | exact HE] |]. split; [discriminate |].
      intros _ Hq. exfalso. eapply snoc_is_not_empty; eauto.
  Qed.

  (** If the program ends with the results [zs] when nothing is promoted, so does the program in which the call is inlined. *)
  Theorem inlining_keeps_results E zs : block_at P 0 0 E -> sequential_result P E zs -> exists E', block_at P' 0 0 E' /\ sequential_result P' E' zs.
  Proof.
    intros HE H. destruct P_wf as [_ (main & Hmain & Hin)]. pose proof (entry_of _ _ Hmain) as Hentry. rewrite Hin in Hentry.
    destruct (block_is_kept _ _ [] _ _ _ E [] [] [] zs Hmain Hentry HE eq_refl (runs_are_kept _ _ _ _ _ _ H)) as (_ & _ & _ & E' & HE' & _ & _ & Hends).
    exists E'. split; [exact HE' | exact Hends].
  Qed.
End Inlining.
