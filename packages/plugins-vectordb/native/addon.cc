// The Node-API face of FlatRows. Arguments are checked here once more, so that no call from JavaScript can reach
// memory it must not; every C++ exception becomes a JavaScript error. Nothing is kept in static variables: the addon
// can be loaded by several threads of a process.
#include <faiss/Index.h>
#include <node_api.h>
#include <omp.h>

#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "flat_rows.h"
#include "scan_kernel.h"

namespace {

using omnirag::FlatRows;
using omnirag::Found;

constexpr size_t max_dimensions = 65536;
constexpr size_t max_rows = std::numeric_limits<uint32_t>::max();
constexpr napi_type_tag index_tag = {0x6f6d6e6972616756, 0x666c6174526f7773};

// A JavaScript exception is pending already.
struct Pending {};

void ok(napi_status status) {
  if (status == napi_ok) return;
  if (status == napi_pending_exception) throw Pending();
  throw std::runtime_error("Node-API call failed with status " + std::to_string(status));
}

struct Call {
  napi_env env;
  napi_value self = nullptr;
  napi_value args[4] = {};
  size_t count = 4;

  Call(napi_env env, napi_callback_info info) : env(env) {
    ok(napi_get_cb_info(env, info, &count, args, &self, nullptr));
  }

  size_t integer(size_t position, size_t least, size_t most, const char* name) const {
    double value = 0;
    if (position >= count || napi_get_value_double(env, args[position], &value) != napi_ok ||
        !(value >= static_cast<double>(least)) || !(value <= static_cast<double>(most)) ||
        value != static_cast<double>(static_cast<size_t>(value)))
      throw std::invalid_argument(std::string(name) + " must be an integer from " + std::to_string(least) + " to " +
                                  std::to_string(most));
    return static_cast<size_t>(value);
  }

  template <class T>
  T* array(size_t position, napi_typedarray_type wanted, const char* name, size_t* length) const {
    bool is = false;
    napi_typedarray_type type;
    void* data = nullptr;
    if (position < count) ok(napi_is_typedarray(env, args[position], &is));
    if (is) ok(napi_get_typedarray_info(env, args[position], &type, length, &data, nullptr, nullptr));
    if (!is || type != wanted)
      throw std::invalid_argument(std::string(name) + " must be a " +
                                  (wanted == napi_float32_array ? "Float32Array" : "Uint32Array"));
    return static_cast<T*>(data);
  }

  float* floats(size_t position, const char* name, size_t* length) const {
    return array<float>(position, napi_float32_array, name, length);
  }

  FlatRows& index() const {
    bool is = false;
    void* data = nullptr;
    if (napi_check_object_type_tag(env, self, &index_tag, &is) != napi_ok || !is)
      throw std::invalid_argument("the receiver is not a FlatIndex");
    ok(napi_unwrap(env, self, &data));
    return **static_cast<std::unique_ptr<FlatRows>*>(data);
  }

  napi_value number(double value) const {
    napi_value result;
    ok(napi_create_double(env, value, &result));
    return result;
  }
};

using Body = napi_value (*)(const Call&);

template <Body body>
napi_value guarded(napi_env env, napi_callback_info info) {
  try {
    return body(Call(env, info));
  } catch (const Pending&) {
  } catch (const std::invalid_argument& error) {
    napi_throw_range_error(env, "ERR_FAISS_ARGUMENT", error.what());
  } catch (const std::exception& error) {
    napi_throw_error(env, "ERR_FAISS", error.what());
  } catch (...) {
    napi_throw_error(env, "ERR_FAISS", "unknown C++ exception");
  }
  return nullptr;
}

void finalize(napi_env, void* data, void*) { delete static_cast<std::unique_ptr<FlatRows>*>(data); }

napi_value construct(const Call& call) {
  napi_value target = nullptr;
  const size_t dimensions = call.integer(0, 1, max_dimensions, "dimensions");
  auto holder = std::make_unique<std::unique_ptr<FlatRows>>(std::make_unique<FlatRows>(dimensions));
  ok(napi_wrap(call.env, call.self, holder.get(), finalize, nullptr, nullptr));
  holder.release();
  ok(napi_type_tag_object(call.env, call.self, &index_tag));
  return target;
}

napi_value rows(const Call& call) { return call.number(static_cast<double>(call.index().rows())); }

napi_value reserve(const Call& call) {
  call.index().reserve(call.integer(0, 0, max_rows, "rows"));
  return nullptr;
}

napi_value append(const Call& call) {
  FlatRows& index = call.index();
  size_t length = 0;
  const float* vectors = call.floats(0, "vectors", &length);
  if (length % index.dimensions() != 0) throw std::invalid_argument("vectors must hold whole rows");
  const size_t count = length / index.dimensions();
  if (count > max_rows - index.rows()) throw std::invalid_argument("too many rows");
  if (count > 0) index.append(vectors, count);
  return nullptr;
}

size_t row_of(const Call& call, const FlatRows& index) {
  if (index.rows() == 0) throw std::invalid_argument("the index is empty");
  return call.integer(0, 0, index.rows() - 1, "row");
}

napi_value write(const Call& call) {
  FlatRows& index = call.index();
  const size_t row = row_of(call, index);
  size_t length = 0;
  const float* vector = call.floats(1, "vector", &length);
  if (length != index.dimensions()) throw std::invalid_argument("the vector has the wrong length");
  index.write(row, vector);
  return nullptr;
}

napi_value remove(const Call& call) {
  FlatRows& index = call.index();
  index.remove(row_of(call, index));
  return nullptr;
}

napi_value read(const Call& call) {
  FlatRows& index = call.index();
  const size_t first = call.integer(0, 0, index.rows(), "first");
  size_t length = 0;
  float* into = call.floats(1, "into", &length);
  if (length % index.dimensions() != 0) throw std::invalid_argument("into must hold whole rows");
  const size_t count = length / index.dimensions();
  if (count > index.rows() - first) throw std::invalid_argument("the rows end before into is full");
  if (count > 0) index.read(first, count, into);
  return nullptr;
}

template <class T>
napi_value copy_out(napi_env env, napi_typedarray_type type, const std::vector<T>& from) {
  void* data = nullptr;
  napi_value buffer, result;
  ok(napi_create_arraybuffer(env, from.size() * sizeof(T), &data, &buffer));
  if (!from.empty()) std::memcpy(data, from.data(), from.size() * sizeof(T));
  ok(napi_create_typedarray(env, type, from.size(), buffer, 0, &result));
  return result;
}

napi_value search(const Call& call) {
  FlatRows& index = call.index();
  size_t length = 0, picked_count = 0;
  const float* query = call.floats(0, "query", &length);
  if (length != index.dimensions()) throw std::invalid_argument("the query has the wrong length");
  const size_t k = call.integer(1, 1, max_rows, "k");
  napi_valuetype type = napi_undefined;
  if (call.count > 2) ok(napi_typeof(call.env, call.args[2], &type));
  const uint32_t* picked = nullptr;
  if (type != napi_undefined) {
    picked = call.array<uint32_t>(2, napi_uint32_array, "picked", &picked_count);
    static const uint32_t none = 0;
    if (picked == nullptr) picked = &none;
    for (size_t i = 0; i < picked_count; i++)
      if (picked[i] >= index.rows()) throw std::invalid_argument("picked names a row that is not there");
  }
  const Found found = index.search(query, k, picked, picked_count);
  napi_value result;
  ok(napi_create_object(call.env, &result));
  ok(napi_set_named_property(call.env, result, "rows",
                             copy_out(call.env, napi_uint32_array, found.rows)));
  ok(napi_set_named_property(call.env, result, "scores",
                             copy_out(call.env, napi_float32_array, found.scores)));
  return result;
}

// Frees the rows now instead of when the garbage collector comes by.
napi_value dispose(const Call& call) {
  const size_t dimensions = call.index().dimensions();
  void* data = nullptr;
  ok(napi_unwrap(call.env, call.self, &data));
  static_cast<std::unique_ptr<FlatRows>*>(data)->reset(new FlatRows(dimensions));
  return nullptr;
}

napi_property_descriptor method(const char* name, napi_callback callback) {
  return {name, nullptr, callback, nullptr, nullptr, nullptr, napi_default_method, nullptr};
}

napi_value define(napi_env env, napi_value exports) {
  // one thread: the scan runs in a worker beside the event loop, and OpenMP's pool is slow on contended cores
  omp_set_num_threads(1);
  const napi_property_descriptor members[] = {
      {"rows", nullptr, nullptr, guarded<rows>, nullptr, nullptr, napi_enumerable, nullptr},
      method("reserve", guarded<reserve>),
      method("append", guarded<append>),
      method("write", guarded<write>),
      method("remove", guarded<remove>),
      method("read", guarded<read>),
      method("search", guarded<search>),
      method("dispose", guarded<dispose>),
  };
  napi_value index, kernel, version;
  ok(napi_define_class(env, "FlatIndex", NAPI_AUTO_LENGTH, guarded<construct>, nullptr,
                       sizeof(members) / sizeof(members[0]), members, &index));
  ok(napi_set_named_property(env, exports, "FlatIndex", index));
  ok(napi_create_string_utf8(env, omnirag::scan_kernel().name, NAPI_AUTO_LENGTH, &kernel));
  ok(napi_set_named_property(env, exports, "kernel", kernel));
  const std::string faiss_version = std::to_string(FAISS_VERSION_MAJOR) + "." + std::to_string(FAISS_VERSION_MINOR) +
                                    "." + std::to_string(FAISS_VERSION_PATCH);
  ok(napi_create_string_utf8(env, faiss_version.c_str(), NAPI_AUTO_LENGTH, &version));
  ok(napi_set_named_property(env, exports, "faissVersion", version));
  return exports;
}

}  // namespace

NAPI_MODULE_INIT() {
  try {
    return define(env, exports);
  } catch (const Pending&) {
  } catch (const std::exception& error) {
    napi_throw_error(env, "ERR_FAISS", error.what());
  }
  return nullptr;
}
