// Calls from JavaScript: arguments checked, every C++ exception turned into a JavaScript error.
#pragma once
#include <node_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace omnirag {

// A JavaScript exception is pending already.
struct Pending {};

inline void ok(napi_status status) {
  if (status == napi_ok) return;
  if (status == napi_pending_exception) throw Pending();
  throw std::runtime_error("Node-API call failed with status " + std::to_string(status));
}

struct Call {
  napi_env env;
  napi_value self = nullptr;
  napi_value args[5] = {};
  size_t count = 5;

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
                                  (wanted == napi_float32_array  ? "Float32Array"
                                   : wanted == napi_uint32_array ? "Uint32Array"
                                                                 : "Uint8Array"));
    return static_cast<T*>(data);
  }

  float* floats(size_t position, const char* name, size_t* length) const {
    return array<float>(position, napi_float32_array, name, length);
  }

  // The C++ object behind the receiver, which must have been made with this tag.
  template <class T>
  T& receiver(const napi_type_tag& tag) const {
    bool is = false;
    void* data = nullptr;
    if (napi_check_object_type_tag(env, self, &tag, &is) != napi_ok || !is)
      throw std::invalid_argument("the receiver is not a FlatIndex");
    ok(napi_unwrap(env, self, &data));
    return *static_cast<T*>(data);
  }

  bool has(size_t position) const {
    napi_valuetype type = napi_undefined;
    if (position < count) ok(napi_typeof(env, args[position], &type));
    return type != napi_undefined;
  }

  template <class T>
  napi_value copy(napi_typedarray_type type, const std::vector<T>& from) const {
    void* data = nullptr;
    napi_value buffer, result;
    ok(napi_create_arraybuffer(env, from.size() * sizeof(T), &data, &buffer));
    if (!from.empty()) std::memcpy(data, from.data(), from.size() * sizeof(T));
    ok(napi_create_typedarray(env, type, from.size(), buffer, 0, &result));
    return result;
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

}  // namespace omnirag
