// A stand-in for ParlayLib's own plug-in, which must not be compiled.
#ifndef PARLAY_INTERNAL_SCHEDULER_PLUGINS_TBB_H_
#error "ParlayLib's own plug-in is compiled"
#endif
