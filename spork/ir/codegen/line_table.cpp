// Uses LLVM's builder of debug information.
#include "ir/codegen/line_table.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

namespace tine::spork {
namespace {

void set_flag(LLVMModuleRef module, LLVMContextRef context, std::string_view name, unsigned value) {
  const LLVMMetadataRef number = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), value, 0));
  LLVMAddModuleFlag(module, LLVMModuleFlagBehaviorWarning, name.data(), name.size(), number);
}

}  // namespace

line_table::line_table(LLVMModuleRef module, LLVMContextRef context, const program& p, bool wanted)
    : p_{p}, context_{context} {
  if (!wanted) return;
  set_flag(module, context, "Debug Info Version", LLVMDebugMetadataVersion());
  set_flag(module, context, "Dwarf Version", 4);  // valgrind 3.19 reads no later one
  build_ = LLVMCreateDIBuilder(module);
  static constexpr std::string_view producer = "tine ir";
  LLVMDIBuilderCreateCompileUnit(build_, LLVMDWARFSourceLanguageC99, file_of({}), producer.data(), producer.size(), 1,
                                 "", 0, 0, "", 0, LLVMDWARFEmissionFull, 0, 1, 0, "", 0, "", 0);
  type_ = LLVMDIBuilderCreateSubroutineType(build_, file_of({}), nullptr, 0, LLVMDIFlagZero);
}

line_table::~line_table() {
  if (build_ != nullptr) LLVMDisposeDIBuilder(build_);
}

LLVMMetadataRef line_table::file_of(place where) {
  const auto [found, is_new] = files_.try_emplace(std::uint32_t{where.source});
  if (!is_new) return found->second;
  const std::string& name =
      where.source != 0 && where.source <= p_.sources.size() ? p_.sources[where.source - 1] : p_.name;
  std::error_code unknown;
  const std::string folder = std::filesystem::current_path(unknown).string();
  return found->second = LLVMDIBuilderCreateFile(build_, name.data(), name.size(), folder.data(), folder.size());
}

line_table::subprogram line_table::describe(const std::string& name, place where) {
  return {LLVMDIBuilderCreateFunction(build_, file_of(where), name.data(), name.size(), "", 0, file_of(where),
                                      where.line, type_, 1, 1, where.line, LLVMDIFlagZero, 1),
          where.source};
}

line_table::subprogram line_table::begin(LLVMBuilderRef build, LLVMValueRef to, const function& f) {
  if (build_ == nullptr) return {};
  const subprogram made = describe(f.name, f.where);
  LLVMSetSubprogram(to, made.described);
  LLVMSetCurrentDebugLocation2(build, location_of(made, f, f.where, 0));
  return made;
}

// The location of inlined code names the callee by its scope, and the location of the call.
LLVMMetadataRef line_table::location_of(const subprogram& in, const function& f, place where, inlined_id inlined) {
  subprogram own = in;
  LLVMMetadataRef call = nullptr;
  if (inlined != 0) {
    const inlined_call& c = f.inlined[inlined - 1];
    const auto [found, is_new] = inlined_.try_emplace(c.callee);
    if (is_new) found->second = describe(c.callee, c.begin);
    own = found->second;
    call = location_of(in, f, c.where, c.inside);
  }
  LLVMMetadataRef scope = own.described;
  // A location names its file by its scope. Code without a place keeps the scope of the function, and line 0.
  if (where.line != 0 && where.source != own.source) {
    const auto [found, is_new] = scopes_.try_emplace(std::pair{own.described, std::uint32_t{where.source}});
    if (is_new) found->second = LLVMDIBuilderCreateLexicalBlockFile(build_, own.described, file_of(where), 0);
    scope = found->second;
  }
  return LLVMDIBuilderCreateDebugLocation(context_, where.line, where.column, scope, call);
}

void line_table::finish() {
  if (build_ != nullptr) LLVMDIBuilderFinalize(build_);
}

}  // namespace tine::spork
