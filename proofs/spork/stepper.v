(** * A stepper: a function that lists all steps of a pool, and no others. It is extracted, and compared with the rules of `tine ir`. *)

From Coq Require Import List Arith ZArith Lia.
Import ListNotations.
From tine.spork Require Import syntax statics dynamics pools progress.

Section Program.
  Variable P : program.

  Definition find_block (f b : nat) : option block :=
    match nth_error P f with Some F => nth_error (blocks F) b | None => None end.

  (** The step of a thread that starts no thread and ends none; a thread has at most one. *)
  Definition thread_successor (t : thread) : option thread :=
    let F := current t in
    let enters b arguments F := option_map (fun B =>
      {| below := below t; current := with_env F (entered B (env F) arguments); code_left := body B |}) (find_block (of F) b) in
    match code_left t with
    | Assign e C => Some {| below := below t; current := with_env F (env F ++ [evaluate (env F) e]); code_left := C |}
    | Goto b xs => enters b (values_of (env F) xs) F
    | If e b1 b2 => enters (if Z.eq_dec (evaluate (env F) e) 0 then b2 else b1) [] F
    | Call c b => option_map (fun B =>
        {| below := (F, b) :: below t; current := current (spawned c (env F) B); code_left := body B |}) (find_block (callee c) 0)
    | Return ys =>
      match below t, promoted F, unpromoted F with
      | (G, b) :: K, [], [] => option_map (fun B =>
          {| below := K; current := with_env G (entered B (env G) (values_of (env F) ys)); code_left := body B |}) (find_block (of G) b)
      | _, _, _ => None
      end
    | Spork b c => enters b [] {| of := of F; promoted := promoted F; unpromoted := unpromoted F ++ [c]; env := env F |}
    | Spoin b1 _ =>
      match rev (unpromoted F) with
      | [] => None
      | _ :: v => enters b1 [] {| of := of F; promoted := promoted F; unpromoted := rev v; env := env F |}
      end
    end.

  (** The promotion of the oldest unpromoted call: the call, the values of its frame, and the frames afterwards. *)
  Fixpoint promote_oldest (K : stack) : option (call * values * stack) :=
    match K with
    | [] => None
    | (F, b) :: K => match promote_oldest K with
                     | Some (c, X, K') => Some (c, X, (F, b) :: K')
                     | None => match promote F with Some (c, F') => Some (c, env F, (F', b) :: K) | None => None end
                     end
    end.

  Definition promotion (t : thread) : option pool :=
    let fork c X t' := option_map (fun B => Fork (Leaf t') (Leaf (spawned c X B))) (find_block (callee c) 0) in
    match promote_oldest (below t) with
    | Some (c, X, K) => fork c X {| below := K; current := current t; code_left := code_left t |}
    | None => match promote (current t) with
              | Some (c, F) => fork c (env (current t)) {| below := below t; current := F; code_left := code_left t |}
              | None => None
              end
    end.

  (** The end of a spoin whose child has ended. *)
  Definition joined (p c : pool) : option pool :=
    match p, c with
    | Leaf {| below := K; current := F; code_left := Spoin _ b2 |}, Leaf {| below := []; current := G; code_left := Return ys |} =>
      match rev (promoted F), unpromoted F, promoted G, unpromoted G with
      | d :: pi, [], [], [] =>
        if Nat.eq_dec (of G) (callee d) then option_map (fun B =>
          Leaf {| below := K; current := {| of := of F; promoted := rev pi; unpromoted := []; env := entered B (env F) (values_of (env G) ys) |};
                  code_left := body B |}) (find_block (of F) b2)
        else None
      | _, _, _, _ => None
      end
    | _, _ => None
    end.

  Definition listed {A} (x : option A) : list A := match x with Some a => [a] | None => [] end.

  Fixpoint successors (R : pool) : list pool :=
    match R with
    | Leaf t => map Leaf (listed (thread_successor t)) ++ listed (promotion t)
    | Fork p c => map (fun p' => Fork p' c) (successors p) ++ map (Fork p) (successors c) ++ listed (joined p c)
    end.

  (** ** It lists the steps, and no others *)

  Lemma find_block_iff f b B : find_block f b = Some B <-> block_at P f b B.
  Proof.
    unfold find_block, block_at. split.
    - destruct (nth_error P f) as [F |]; [eauto | discriminate].
    - intros (F & -> & H). exact H.
  Qed.

  Lemma in_listed {A} (x : option A) a : In a (listed x) <-> x = Some a.
  Proof. destruct x; simpl; split; intros H; [destruct H as [-> | []]; reflexivity | injection H; auto | destruct H | discriminate]. Qed.

  Lemma option_map_some {A B} (f : A -> B) x y : option_map f x = Some y <-> exists a, x = Some a /\ y = f a.
  Proof.
    destruct x; simpl; split; [intros H; injection H as <-; eauto | intros (a' & H & ->); injection H as <-; reflexivity | discriminate | intros (a' & H & _); discriminate].
  Qed.

  Lemma rev_is_snoc {A} (l v : list A) x : rev l = x :: v <-> l = rev v ++ [x].
  Proof. split; intros H; [rewrite <- (rev_involutive l), H; reflexivity | rewrite H, rev_unit, rev_involutive; reflexivity]. Qed.

  Lemma thread_successor_iff t t' : thread_successor t = Some t' <-> thread_step P t t'.
  Proof.
    split.
    - destruct t as [K F [e C | b xs | e b1 b2 | c b | ys | b c | b1 b2]]; unfold thread_successor; simpl; intros H.
      + injection H as <-. constructor.
      + apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB. constructor; auto.
      + apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB.
        destruct (Z.eq_dec (evaluate (env F) e) 0); [eapply step_else | eapply step_then]; eauto.
      + apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB. constructor; auto.
      + destruct K as [| [G b] K]; [discriminate |]. destruct (promoted F) eqn:E1; [| discriminate]. destruct (unpromoted F) eqn:E2; [| discriminate].
        apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB. constructor; auto.
      + apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB. apply (step_spork P K F b c B HB).
      + destruct (rev (unpromoted F)) as [| d v] eqn:E; [discriminate |]. apply rev_is_snoc in E.
        apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB. apply (step_spoin_unpromoted P K F b1 b2 (rev v) d B E HB).
    - destruct 1; unfold thread_successor; simpl; rewrite ?option_map_some; try (exists B; split; [apply find_block_iff; assumption | reflexivity]); auto.
      + destruct (Z.eq_dec (evaluate (env F) e) 0); [contradiction |]. exists B. split; [apply find_block_iff; assumption | reflexivity].
      + destruct (Z.eq_dec (evaluate (env F) e) 0); [| contradiction]. exists B. split; [apply find_block_iff; assumption | reflexivity].
      + rewrite H0, H1, (proj2 (find_block_iff _ _ _) H). reflexivity.
      + rewrite H, rev_unit, (proj2 (find_block_iff _ _ _) H0). simpl. rewrite rev_involutive. reflexivity.
  Qed.

  Lemma promote_none F : promote F = None <-> unpromoted F = [].
  Proof. unfold promote. destruct (unpromoted F); split; intros H; congruence. Qed.

  Lemma nothing_to_promote K : promote_oldest K = None <-> unpromoted_of K = [].
  Proof.
    induction K as [| [F b] K IH]; simpl; [tauto |]. destruct (promote_oldest K) as [[[c X] K'] |].
    - split; [discriminate |]. intros H. apply app_eq_nil in H as [H _]. apply IH in H. discriminate.
    - destruct (promote F) as [[c F'] |] eqn:E.
      + split; [discriminate |]. intros H. apply app_eq_nil in H as [_ H]. apply promote_none in H. congruence.
      + apply promote_none in E. rewrite E, app_nil_r. tauto.
  Qed.

  Lemma oldest_is_found K' F b K c F' : unpromoted_of K = [] -> promote F = Some (c, F') ->
    promote_oldest (K' ++ (F, b) :: K) = Some (c, env F, K' ++ (F', b) :: K).
  Proof.
    intros HK HF. induction K' as [| [G d] K' IH]; simpl.
    - apply nothing_to_promote in HK. rewrite HK, HF. reflexivity.
    - rewrite IH. reflexivity.
  Qed.

  Lemma found_is_oldest K0 c X K1 : promote_oldest K0 = Some (c, X, K1) ->
    exists K' F b K F', K0 = K' ++ (F, b) :: K /\ unpromoted_of K = [] /\ promote F = Some (c, F') /\ X = env F /\ K1 = K' ++ (F', b) :: K.
  Proof.
    revert K1. induction K0 as [| [F b] K0 IH]; intros K1; simpl; [discriminate |].
    destruct (promote_oldest K0) as [[[d Y] K2] |] eqn:E.
    - intros H. injection H as <- <- <-. destruct (IH K2 eq_refl) as (K' & G & b' & K & G' & -> & H1 & H2 & H3 & ->).
      exists ((F, b) :: K'), G, b', K, G'. auto.
    - destruct (promote F) as [[d F'] |] eqn:EF; [| discriminate]. intros H. injection H as <- <- <-.
      exists [], F, b, K0, F'. apply nothing_to_promote in E. auto.
  Qed.

  Lemma promotion_is_step t R : promotion t = Some R -> step P (Leaf t) R.
  Proof.
    destruct t as [K0 G C]. unfold promotion; simpl. destruct (promote_oldest K0) as [[[c X] K1] |] eqn:E.
    - intros H. apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB.
      apply found_is_oldest in E as (K' & F & b & K & F' & -> & H1 & H2 & -> & ->). eapply promote_below; eauto.
    - apply nothing_to_promote in E. destruct (promote G) as [[c F'] |] eqn:EF; [| discriminate].
      intros H. apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB. eapply promote_current; eauto.
  Qed.

  Lemma joined_is_step p c R : joined p c = Some R -> step P (Fork p c) R.
  Proof.
    destruct p as [[K F C] | p1 p2]; [| discriminate]. destruct C as [| | | | | | b1 b2]; try discriminate.
    destruct c as [[K2 G C2] | c1 c2]; [| discriminate]. destruct K2; [| discriminate]. destruct C2 as [| | | | ys | |]; try discriminate.
    simpl. destruct (rev (promoted F)) as [| d pi] eqn:E1; [discriminate |]. destruct (unpromoted F) eqn:E2; [| discriminate].
    destruct (promoted G) eqn:E3; [| discriminate]. destruct (unpromoted G) eqn:E4; [| discriminate].
    destruct (Nat.eq_dec (of G) (callee d)) as [E5 |]; [| discriminate].
    intros H. apply option_map_some in H as (B & HB & ->). apply find_block_iff in HB. apply rev_is_snoc in E1.
    eapply spoin_promoted; eauto.
  Qed.

  (** [successors R] are the pools to which a step of [R] leads. *)
  Theorem successors_are_steps R : forall R', In R' (successors R) <-> step P R R'.
  Proof.
    induction R as [t | p IHp c IHc]; intros R'; simpl; rewrite !in_app_iff.
    - split.
      + intros [H | H].
        * apply in_map_iff in H as (t' & <- & H). apply in_listed, thread_successor_iff in H. constructor; exact H.
        * apply in_listed in H. apply promotion_is_step, H.
      + inversion 1; subst.
        * left. apply in_map_iff. exists t'. split; [reflexivity |]. apply in_listed, thread_successor_iff. assumption.
        * right. apply in_listed. unfold promotion; simpl. erewrite oldest_is_found by eauto. apply option_map_some.
          exists B. split; [apply find_block_iff; assumption | reflexivity].
        * right. apply in_listed. unfold promotion; simpl.
          match goal with H : unpromoted_of K = [] |- _ => apply nothing_to_promote in H; rewrite H end.
          match goal with H : promote F = _ |- _ => rewrite H end. apply option_map_some.
          exists B. split; [apply find_block_iff; assumption | reflexivity].
    - split.
      + intros [H | [H | H]].
        * apply in_map_iff in H as (p' & <- & H). apply in_parent, IHp, H.
        * apply in_map_iff in H as (c' & <- & H). apply in_child, IHc, H.
        * apply in_listed in H. apply joined_is_step, H.
      + inversion 1; subst.
        * left. apply in_map_iff. exists p'. split; [reflexivity |]. apply IHp. assumption.
        * right; left. apply in_map_iff. exists c'. split; [reflexivity |]. apply IHc. assumption.
        * right; right. apply in_listed. unfold joined. rewrite (proj2 (rev_is_snoc _ (rev pi) c0)) by (rewrite rev_involutive; assumption).
          repeat match goal with H : _ = [] |- _ => rewrite H end. destruct (Nat.eq_dec (of G) (callee c0)); [| contradiction].
          apply option_map_some. exists B. split; [apply find_block_iff; assumption | rewrite rev_involutive; reflexivity].
  Qed.

  (** ** Where a run begins, and what it ends with *)

  Definition first_pool : option pool :=
    option_map (fun B => Leaf (spawned {| callee := 0; arguments := [] |} [] B)) (find_block 0 0).

  (** The results of a pool that has ended. *)
  Definition results_of (R : pool) : option values :=
    match R with
    | Leaf {| below := []; current := F; code_left := Return xs |} =>
      match promoted F, unpromoted F with [], [] => Some (values_of (env F) xs) | _, _ => None end
    | _ => None
    end.

  Lemma results_iff_final R : results_of R <> None <-> is_final R.
  Proof.
    unfold is_final. split.
    - destruct R as [[K F C] |]; simpl; [| congruence]. destruct K; [| congruence]. destruct C; try congruence.
      destruct (promoted F) eqn:E1; [| congruence]. destruct (unpromoted F) eqn:E2; [| congruence]. intros _. exists F, results. auto.
    - intros (F & xs & -> & E1 & E2). simpl. rewrite E1, E2. discriminate.
  Qed.
End Program.
