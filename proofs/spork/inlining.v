(** * Inlining (Spork, Theorem 2.3): inlining a function call preserves well-formedness

    The blocks of the called function are added to the caller's, behind a block that takes the arguments. They keep the caller's temporaries, so their
    own temporaries are [n] places further, and their sporks are opened inside the caller's. A return becomes a jump to the block behind the call. *)

From Coq Require Import List Arith Lia.
Import ListNotations.
From tine.spork Require Import syntax statics.

(** ** Numbers of temporaries and blocks are moved *)

Fixpoint moved_expression (n : nat) (e : expression) : expression :=
  match e with
  | Constant v => Constant v
  | Temporary x => Temporary (n + x)
  | Operation o a b => Operation o (moved_expression n a) (moved_expression n b)
  end.

Definition moved (n : nat) (xs : list nat) : list nat := map (Nat.add n) xs.
Definition moved_call (n : nat) (c : call) : call := {| callee := callee c; arguments := moved n (arguments c) |}.

Section Inlining.
  (** The caller has [n] temporaries and the nesting [rho] at the call, and continues in the block [next]. The blocks of the called function are added from
      number [first] on. *)
  Variables (n first next : nat) (rho : list call).

  Fixpoint inlined_code (C : code) : code :=
    match C with
    | Assign e C => Assign (moved_expression n e) (inlined_code C)
    | Goto b xs => Goto (first + b) (moved n xs)
    | If e b1 b2 => If (moved_expression n e) (first + b1) (first + b2)
    | Call c b => Call (moved_call n c) (first + b)
    | Return ys => Goto next (moved n ys)
    | Spork b c => Spork (first + b) (moved_call n c)
    | Spoin b1 b2 => Spoin (first + b1) (first + b2)
    end.

  Definition inlined_block (B : block) : block :=
    {| scope := n + scope B; parameters := parameters B; nesting := rho ++ map (moved_call n) (nesting B); body := inlined_code (body B) |}.

  (** The block that takes the arguments of the call. *)
  Definition arrival (g : function) : block :=
    {| scope := n; parameters := inputs g; nesting := rho; body := Goto first [] |}.
End Inlining.

(** The call at the end of some code: the number of assignments before it, the call, and the block behind it. *)
Fixpoint final_call (C : code) : option (nat * call * nat) :=
  match C with
  | Assign _ C => match final_call C with Some (k, c, b) => Some (S k, c, b) | None => None end
  | Call c b => Some (0, c, b)
  | _ => None
  end.

(** The code jumps instead of calling. *)
Fixpoint jumping (target : nat) (C : code) : code :=
  match C with
  | Assign e C => Assign e (jumping target C)
  | Call c _ => Goto target (arguments c)
  | _ => C
  end.

Fixpoint replace {A} (l : list A) (i : nat) (x : A) : list A :=
  match l, i with
  | [], _ => []
  | _ :: l, 0 => x :: l
  | y :: l, S i => y :: replace l i x
  end.

(** Inlines the call at the end of block [B], which is block [j] of [f]. *)
Definition inlined_function (f : function) (j : nat) (B : block) (g : function) (k : nat) (next : nat) : function :=
  let n := scope B + parameters B + k in
  let w := length (blocks f) in
  {| inputs := inputs f; outputs := outputs f;
     blocks := replace (blocks f) j {| scope := scope B; parameters := parameters B; nesting := nesting B; body := jumping w (body B) |}
               ++ arrival n (S w) (nesting B) g :: map (inlined_block n (S w) next (nesting B)) (blocks g) |}.

Lemma replace_same {A} (l : list A) i x : i < length l -> nth_error (replace l i x) i = Some x.
Proof. revert i. induction l as [| y l IH]; intros [| i] H; simpl in *; try lia; auto. apply IH. lia. Qed.

Lemma replace_other {A} (l : list A) i j x : i <> j -> nth_error (replace l i x) j = nth_error l j.
Proof. revert i j. induction l as [| y l IH]; intros [| i] [| j] H; simpl; auto; try lia. Qed.

Lemma length_of_replace {A} (l : list A) i x : length (replace l i x) = length l.
Proof. revert i. induction l as [| y l IH]; intros [| i]; simpl; auto. Qed.

Section Correctness.
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

  Lemma interface_is_kept m h : nth_error P m = Some h -> exists h', nth_error P' m = Some h' /\ inputs h' = inputs h /\ outputs h' = outputs h.
  Proof.
    intros H. destruct (Nat.eq_dec i m) as [<- | Hne].
    - exists f'. assert (h = f) as -> by congruence. split; [| auto]. apply replace_same, nth_error_Some. congruence.
    - exists h. split; [| auto]. unfold P'. rewrite replace_other; auto.
  Qed.

  Lemma wf_call_is_kept m d : wf_call P m d -> wf_call P' m d.
  Proof. intros [Hs (h & Hh & Hi)]. split; [exact Hs |]. destruct (interface_is_kept _ _ Hh) as (h' & Hh' & E & _). exists h'. split; congruence. Qed.

  (** The blocks of the caller keep their numbers and attributes. *)
  Lemma continuation_is_kept m rho b r : wf_continuation f m rho b r -> wf_continuation f' m rho b r.
  Proof.
    intros (D & HD & Hs & Hp & Hn). assert (b < w) by (apply nth_error_Some; congruence). unfold wf_continuation, f'; simpl.
    rewrite nth_error_app1 by (rewrite length_of_replace; auto). destruct (Nat.eq_dec j b) as [<- | Hne].
    - rewrite replace_same by auto. assert (D = B) as -> by congruence. eexists; split; [reflexivity |]; auto.
    - rewrite replace_other by auto. eauto.
  Qed.

  Lemma code_of_function_is_kept h h' m rho C : (forall m rho b r, wf_continuation h m rho b r -> wf_continuation h' m rho b r) ->
    outputs h' = outputs h -> wf_code P h m rho C -> wf_code P' h' m rho C.
  Proof.
    intros Hcont Hout H. induction H as [| | | m rho d e b Hd He Hb | m xs Hxs Hr | | m rho d e b1 b2 He H1 H2].
    - constructor; auto.
    - constructor; auto.
    - constructor; auto.
    - destruct (interface_is_kept _ _ He) as (e' & He' & _ & E). econstructor; eauto using wf_call_is_kept. rewrite E. auto.
    - constructor; congruence.
    - constructor; auto using wf_call_is_kept.
    - destruct (interface_is_kept _ _ He) as (e' & He' & _ & E). econstructor; eauto. rewrite E. auto.
  Qed.

  Lemma wf_function_of m h : nth_error P m = Some h -> wf_function P h.
  Proof. intros H. destruct P_wf as [F _]. rewrite Forall_forall in F. eapply F, nth_error_In, H. Qed.

  (** ** The code that ends by the call *)

  Lemma final_call_is_wf m rho C : wf_code P f m rho C -> forall k' d b, final_call C = Some (k', d, b) ->
    wf_call P (m + k') d /\ exists h, nth_error P (callee d) = Some h /\ wf_continuation f (m + k') rho b (outputs h).
  Proof.
    induction 1; simpl; intros k' d b' E; try discriminate.
    - destruct (final_call C) as [[[k0 d0] b0] |]; [| discriminate]. injection E as <- <- <-.
      replace (n0 + S k0) with (S n0 + k0) by lia. auto.
    - injection E as <- <- <-. rewrite Nat.add_0_r. eauto.
  Qed.

  Lemma jumping_is_wf m rho C : wf_code P f m rho C -> forall k' d b, final_call C = Some (k', d, b) ->
    wf_continuation f' (m + k') rho w (length (arguments d)) -> wf_code P' f' m rho (jumping w C).
  Proof.
    induction 1; simpl; intros k' d b' E Hw; try discriminate.
    - destruct (final_call C) as [[[k0 d0] b0] |]; [| discriminate]. injection E as <- <- <-.
      constructor; [auto |]. eapply IHwf_code; [reflexivity |]. replace (S n0 + k0) with (n0 + S k0) by lia. exact Hw.
    - injection E as <- <- <-. rewrite Nat.add_0_r in Hw. constructor; [exact (proj1 H) | exact Hw].
  Qed.

  (** ** The added code *)

  Lemma moved_is_in_scope m xs : in_scope m xs -> in_scope (n + m) (moved n xs).
  Proof. unfold in_scope, moved. rewrite Forall_map. apply Forall_impl. simpl; lia. Qed.

  Lemma moved_expression_is_wf m e : wf_expression m e -> wf_expression (n + m) (moved_expression n e).
  Proof. induction e; simpl; [auto | lia | intuition]. Qed.

  Lemma moved_call_is_wf m d : wf_call P m d -> wf_call P' (n + m) (moved_call n d).
  Proof.
    intros [Hs (h & Hh & Hi)]. split; [apply moved_is_in_scope, Hs |]. destruct (interface_is_kept _ _ Hh) as (h' & Hh' & E & _).
    exists h'. simpl. unfold moved. rewrite map_length. split; congruence.
  Qed.

  Lemma moved_continuation m rho b r : wf_continuation g m rho b r ->
    wf_continuation f' (n + m) (nesting B ++ map (moved_call n) rho) (S w + b) r.
  Proof.
    intros (D & HD & Hs & Hp & Hn). unfold wf_continuation, f', inlined_function; cbn [blocks]. rewrite nth_error_app2 by (rewrite length_of_replace; fold w; lia).
    rewrite length_of_replace. fold w. replace (S w + b - w) with (S b) by lia. cbn [nth_error]. rewrite nth_error_map, HD. cbn [option_map].
    eexists; split; [reflexivity |]. simpl. fold n. repeat split; [lia | auto | congruence].
  Qed.

  Lemma next_block : wf_continuation f n (nesting B) next (outputs g).
  Proof.
    destruct (wf_function_of _ _ f_is) as [Hb _]. rewrite Forall_forall in Hb. destruct (Hb B (nth_error_In _ _ B_is)) as [Hcode _].
    destruct (final_call_is_wf _ _ _ Hcode _ _ _ call_is) as [_ (h & Hh & Hn)]. assert (h = g) as -> by congruence. exact Hn.
  Qed.

  Lemma continuation_grows h m m' rho b r : m <= m' -> wf_continuation h m rho b r -> wf_continuation h m' rho b r.
  Proof. intros Hle (D & HD & Hs & Hp & Hn). exists D. repeat split; auto. lia. Qed.

  Lemma inlined_code_is_wf m rho C : wf_code P g m rho C ->
    wf_code P' f' (n + m) (nesting B ++ map (moved_call n) rho) (inlined_code n (S w) next C).
  Proof.
    induction 1 as [m rho e C He HC IH | m rho b xs Hxs Hb | m rho e b1 b2 He H1 H2 | m rho d h b Hd Hh Hb | m xs Hxs Hr | m rho b d Hd Hb | m rho d h b1 b2 Hh H1 H2];
      cbn [inlined_code].
    - constructor; [apply moved_expression_is_wf, He |]. rewrite <- Nat.add_succ_r. exact IH.
    - constructor; [apply moved_is_in_scope, Hxs |]. unfold moved. rewrite map_length. apply moved_continuation, Hb.
    - constructor; auto using moved_expression_is_wf, moved_continuation.
    - destruct (interface_is_kept _ _ Hh) as (h' & Hh' & _ & E). econstructor; [apply moved_call_is_wf, Hd | exact Hh' |]. rewrite E. apply moved_continuation, Hb.
    - rewrite app_nil_r. constructor; [apply moved_is_in_scope, Hxs |]. unfold moved. rewrite map_length, Hr.
      apply continuation_is_kept. eapply continuation_grows; [| apply next_block]. lia.
    - constructor; [apply moved_call_is_wf, Hd |]. apply moved_continuation in Hb. rewrite map_app, app_assoc in Hb. exact Hb.
    - destruct (interface_is_kept _ _ Hh) as (h' & Hh' & _ & E). rewrite map_app, app_assoc. simpl.
      econstructor; [exact Hh' | apply moved_continuation, H1 | rewrite E; apply moved_continuation, H2].
  Qed.

  (** ** The whole program *)

  Lemma nesting_is_in_scope : Forall (wf_call P (scope B)) (nesting B).
  Proof.
    destruct (wf_function_of _ _ f_is) as [Hb _]. rewrite Forall_forall in Hb. exact (proj2 (Hb B (nth_error_In _ _ B_is))).
  Qed.

  Lemma nesting_is_in_larger_scope m : scope B <= m -> Forall (wf_call P' m) (nesting B).
  Proof.
    intros Hle. eapply Forall_impl; [| exact nesting_is_in_scope]. intros d [Hs Hd]. apply wf_call_is_kept. split; [| exact Hd].
    unfold in_scope in *. eapply Forall_impl; [| exact Hs]. simpl; lia.
  Qed.

  Lemma old_block_is_wf h h' D : (forall m rho b r, wf_continuation h m rho b r -> wf_continuation h' m rho b r) -> outputs h' = outputs h ->
    wf_block P h D -> wf_block P' h' D.
  Proof.
    intros Hcont Hout [Hcode Hcalls]. split; [eapply code_of_function_is_kept; eauto |].
    eapply Forall_impl; [| exact Hcalls]. intros d. apply wf_call_is_kept.
  Qed.

  (** The block that takes the arguments. *)
  Lemma arrival_block : nth_error (blocks f') w = Some (arrival n (S w) (nesting B) g).
  Proof.
    unfold f', inlined_function; cbn [blocks]. rewrite nth_error_app2 by (rewrite length_of_replace; fold w; lia).
    rewrite length_of_replace. fold w. rewrite Nat.sub_diag. reflexivity.
  Qed.

  Lemma call_of_block : wf_call P n c.
  Proof.
    destruct (wf_function_of _ _ f_is) as [Hb _]. rewrite Forall_forall in Hb. destruct (Hb B (nth_error_In _ _ B_is)) as [Hcode _].
    exact (proj1 (final_call_is_wf _ _ _ Hcode _ _ _ call_is)).
  Qed.

  Lemma inlined_function_is_wf : wf_function P' f'.
  Proof.
    destruct (wf_function_of _ _ f_is) as [Hf Hentry]. destruct (wf_function_of _ _ g_is) as [Hg Hgentry].
    split; [| apply continuation_is_kept, Hentry].
    unfold f', inlined_function; cbn [blocks]. fold n w. apply Forall_app. split; [| constructor].
    - (* the caller's blocks *)
      apply Forall_forall. intros D HD. apply In_nth_error in HD as (b & HD). destruct (Nat.eq_dec j b) as [<- | Hne].
      + rewrite replace_same in HD by (apply nth_error_Some; congruence). injection HD as <-.
        rewrite Forall_forall in Hf. destruct (Hf B (nth_error_In _ _ B_is)) as [Hcode _]. split; simpl.
        * eapply jumping_is_wf; eauto. eexists; split; [apply arrival_block |]. simpl. fold n. repeat split; [lia |].
          destruct call_of_block as [_ (h & Hh & Hin)]. congruence.
        * apply nesting_is_in_larger_scope. lia.
      + rewrite replace_other in HD by auto. rewrite Forall_forall in Hf. eapply old_block_is_wf; [apply continuation_is_kept | reflexivity |].
        apply Hf. eapply nth_error_In, HD.
    - (* the block that takes the arguments *)
      split; simpl; [| apply nesting_is_in_larger_scope; unfold n; lia].
      constructor; [constructor |]. simpl.
      apply moved_continuation in Hgentry. rewrite Nat.add_0_r, app_nil_r in Hgentry. exact Hgentry.
    - (* the called function's blocks *)
      apply Forall_map. eapply Forall_impl; [| exact Hg]. intros D [Hcode Hcalls]. split; cbn [scope parameters nesting body inlined_block].
      + rewrite <- Nat.add_assoc. apply inlined_code_is_wf, Hcode.
      + apply Forall_app. split; [apply nesting_is_in_larger_scope; unfold n; lia |]. apply Forall_map.
        eapply Forall_impl; [| exact Hcalls]. intros d. apply moved_call_is_wf.
  Qed.

  Theorem inlining_keeps_wf : wf_program P'.
  Proof.
    destruct P_wf as [Hall (main & Hmain & Hin)]. split.
    - apply Forall_forall. intros h Hh. apply In_nth_error in Hh as (m & Hh). destruct (Nat.eq_dec i m) as [<- | Hne].
      + unfold P' in Hh. rewrite replace_same in Hh by (apply nth_error_Some; congruence). injection Hh as <-. apply inlined_function_is_wf.
      + unfold P' in Hh. rewrite replace_other in Hh by auto. destruct (wf_function_of _ _ Hh) as [Hb Hentry]. split; [| exact Hentry].
        eapply Forall_impl; [| exact Hb]. intros D. apply old_block_is_wf; auto.
    - destruct (interface_is_kept _ _ Hmain) as (main' & Hmain' & E & _). exists main'. split; congruence.
  Qed.
End Correctness.
