(** The main theorems, with the assumptions that each of them rests on. proofs/check.py reads the answers. *)

From tine.join Require split_counter.
From tine.labels Require depa english_hebrew offset_span pedigree series_parallel.
From tine.space Require serial worst.
From tine.spork Require elision inlined_runs inlining meaning par_is_coherent preservation progress sequential stepper verifier.
From tine.tokens Require heartbeat on_demand.

Print Assumptions progress.progress.
Print Assumptions preservation.preservation.
Print Assumptions preservation.first_pool_is_wf.
Print Assumptions inlining.inlining_keeps_wf.
Print Assumptions inlined_runs.inlining_keeps_results.
Print Assumptions meaning.ends_once.
Print Assumptions elision.promotion_is_invisible.
Print Assumptions elision.schedules_agree.
Print Assumptions par_is_coherent.par_is_coherent.
Print Assumptions sequential.sequential_run_ends.
Print Assumptions verifier.verifier_decides.
Print Assumptions stepper.successors_are_steps.
Print Assumptions stepper.results_iff_final.
Print Assumptions heartbeat.promotions_are_bounded.
Print Assumptions on_demand.promotions_are_bounded.
Print Assumptions on_demand.default_policy.
Print Assumptions serial.serial_peak_is_peak.
Print Assumptions worst.worst_peak_is_greatest.
Print Assumptions series_parallel.precedes_is_earlier.
Print Assumptions series_parallel.relation_of_is_correct.
Print Assumptions offset_span.offset_span_labels_are_correct.
Print Assumptions english_hebrew.english_hebrew_labels_are_correct.
Print Assumptions depa.depa_labels_are_correct.
Print Assumptions pedigree.pedigrees_are_correct.
Print Assumptions split_counter.at_most_one_strand_continues.
Print Assumptions split_counter.a_strand_continues_when_all_have_ended.
