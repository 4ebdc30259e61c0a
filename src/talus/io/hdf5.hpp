#pragma once
// A thin coat around the C interface of HDF5: handles that close themselves, calls that throw, and no chatter on stderr.
#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <hdf5.h>

#include <talus/core/real.hpp>
#include <talus/core/scalars.hpp>

namespace talus::hdf5 {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Handle {
 public:
  // Takes over what a call returned; a negative id throws "cannot <what>".
  Handle(hid_t id, herr_t (*closer)(hid_t), const std::string& what) : id_(id), close_(closer) {
    if (id < 0) throw Error("cannot " + what);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle(const Handle&) = delete;
  Handle& operator=(Handle&&) = delete;
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

inline void check(herr_t status, const std::string& what) {
  if (status < 0) throw Error("cannot " + what);
}

// Files, groups, datasets, attributes and named types that are open.
inline long open_handles() { return long(H5Fget_obj_count(hid_t{H5F_OBJ_ALL}, H5F_OBJ_ALL)); }

// While it lives HDF5 prints nothing: we report errors ourselves, once, with the name of the file. Made before the first call of HDF5.
class Silence {
 public:
  Silence() {
    // A damaged file may leave HDF5 1.10 with memory it cannot give back although all handles are closed; at the end of the program it
    // would say so ("infinite loop closing library"). Our files are whole before they reach the disk: nothing is left to do at the end.
    static const bool ends_without_clearing = H5dont_atexit() >= 0;
    (void)ends_without_clearing;
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// ---- types: how values lie in memory and in the file (the same: little endian, 64-bit) --------------------------------

template <class Scalar>
hid_t scalar_type() {
  if constexpr (std::is_same_v<Scalar, double>) return H5T_NATIVE_DOUBLE;
  if constexpr (std::is_same_v<Scalar, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<Scalar, u64>) return H5T_NATIVE_UINT64;
  if constexpr (std::is_same_v<Scalar, i64>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<Scalar, u32>) return H5T_NATIVE_UINT32;
  if constexpr (std::is_same_v<Scalar, i32>) return H5T_NATIVE_INT32;
  if constexpr (std::is_same_v<Scalar, u16>) return H5T_NATIVE_UINT16;
  if constexpr (std::is_same_v<Scalar, i16>) return H5T_NATIVE_INT16;
  if constexpr (std::is_same_v<Scalar, u8>) return H5T_NATIVE_UINT8;
}

// A type and how many of it make one element.
struct Element {
  Handle type;
  hsize_t count;
};

template <MadeOfScalars T>
Element element() {
  return {Handle(H5Tcopy(scalar_type<scalar_of<T>>()), H5Tclose, "copy a type"), scalar_count<T>};
}

// ---- files and groups -------------------------------------------------------------------------------------------------

// A file in memory. Rejected: letting HDF5 write to the disk; when the disk is full it cannot close the file, and the
// program crashes at its end.
inline Handle create_file_in_memory() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a property list");
  check(H5Pset_fapl_core(access, std::size_t{16} << 20, false), "keep a file in memory");
  return {H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose, "create a file in memory"};
}
// Its bytes as they would lie on the disk.
inline std::string image(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "complete the file");
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size < 0) throw Error("cannot measure the file");
  std::string bytes(static_cast<std::size_t>(size), '\0');
  if (H5Fget_file_image(file, bytes.data(), bytes.size()) != size) throw Error("cannot copy the file");
  return bytes;
}
inline Handle open_file(const std::string& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "make a property list");
#if H5_VERSION_GE(1, 10, 7)
  H5Pset_file_locking(access, false, true);  // nobody writes to a finished file, and network disks often cannot lock
#endif
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose, "open the file as HDF5"};
}
inline Handle create_group(hid_t where, const std::string& name) {
  return {H5Gcreate2(where, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "create group " + name};
}
inline Handle open_group(hid_t where, const std::string& name) {
  return {H5Gopen2(where, name.c_str(), H5P_DEFAULT), H5Gclose, "find group " + name};
}
inline std::size_t members(hid_t group) {
  H5G_info_t info;
  check(H5Gget_info(group, &info), "list a group");
  return info.nlinks;
}

// ---- attributes -------------------------------------------------------------------------------------------------------

inline void write_attribute(hid_t where, const std::string& name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "copy a type");
  check(H5Tset_size(type, text.size() + 1), "size a text");  // with its final zero: an empty text has a size too
  check(H5Tset_cset(type, H5T_CSET_UTF8), "mark a text as UTF-8");
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a space");
  const Handle attribute(H5Acreate2(where, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "create attribute " + name);
  check(H5Awrite(attribute, type, text.c_str()), "write attribute " + name);
}

template <class T>
void write_attribute(hid_t where, const std::string& name, T value) {
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose, "make a space");
  const Handle attribute(H5Acreate2(where, name.c_str(), scalar_type<T>(), space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                         "create attribute " + name);
  check(H5Awrite(attribute, scalar_type<T>(), &value), "write attribute " + name);
}

inline Handle open_attribute(hid_t where, const std::string& name, hid_t type, H5T_class_t kind) {
  Handle attribute(H5Aopen(where, name.c_str(), H5P_DEFAULT), H5Aclose, "find attribute " + name);
  const Handle stored(H5Aget_type(attribute), H5Tclose, "see the type of attribute " + name);
  if (H5Tget_class(stored) != kind || (type >= 0 && H5Tequal(stored, type) <= 0))
    throw Error("cannot read attribute " + name + ": it is of another type");
  return attribute;
}

inline std::string read_text_attribute(hid_t where, const std::string& name) {
  const Handle attribute = open_attribute(where, name, -1, H5T_STRING);
  const Handle type(H5Aget_type(attribute), H5Tclose, "see the type of attribute " + name);
  if (H5Tis_variable_str(type)) throw Error("cannot read attribute " + name + ": it is of another type");
  std::string text(H5Tget_size(type), '\0');
  check(H5Aread(attribute, type, text.data()), "read attribute " + name);
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

template <class T>
T read_attribute(hid_t where, const std::string& name) {
  const hid_t type = scalar_type<T>();
  const Handle attribute = open_attribute(where, name, type, H5Tget_class(type));
  T value;
  check(H5Aread(attribute, type, &value), "read attribute " + name);
  return value;
}

// ---- datasets ---------------------------------------------------------------------------------------------------------

// `rows` elements; a table of rows x count when an element has several numbers. Without the time of writing, so that
// equal data make equal files.
inline Handle write_dataset(hid_t where, const std::string& name, const Element& element, hsize_t rows,
                            const void* data) {
  const hsize_t extent[2] = {rows, element.count};
  const Handle space(H5Screate_simple(element.count == 1 ? 1 : 2, extent, nullptr), H5Sclose, "make a space");
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "make a property list");
  check(H5Pset_obj_track_times(creation, false), "leave out the time");
  Handle dataset(H5Dcreate2(where, name.c_str(), element.type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose,
                 "create dataset " + name);
  if (rows > 0) check(H5Dwrite(dataset, element.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write dataset " + name);
  return dataset;
}

class Dataset {
 public:
  Dataset(hid_t where, const std::string& name, Element element)
      : name_(name),
        element_(std::move(element)),
        data_(H5Dopen2(where, name.c_str(), H5P_DEFAULT), H5Dclose, "find dataset " + name) {
    const Handle stored(H5Dget_type(data_), H5Tclose, "see the type of dataset " + name);
    const Handle space(H5Dget_space(data_), H5Sclose, "see the size of dataset " + name);
    const int rank = element_.count == 1 ? 1 : 2;
    hsize_t extent[2] = {0, 1};
    if (H5Tequal(stored, element_.type) <= 0 || H5Sget_simple_extent_ndims(space) != rank ||
        H5Sget_simple_extent_dims(space, extent, nullptr) < 0 || extent[1] != element_.count)
      throw Error("cannot use dataset " + name + ": it is of another type or width");
    rows_ = extent[0];
    // A damaged file may claim any size: nothing is allocated that does not lie in it.
    const Handle file(H5Iget_file_id(data_), H5Fclose, "find the file of dataset " + name);
    hsize_t bytes = 0;
    check(H5Fget_filesize(file, &bytes), "measure the file");
    if (std::min(bytes, H5Dget_storage_size(data_)) / (H5Tget_size(stored) * element_.count) < rows_)
      throw Error("cannot find all of dataset " + name);
  }
  hsize_t rows() const { return rows_; }
  void read(void* to) const {
    if (rows_ > 0) check(H5Dread(data_, element_.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to), "read dataset " + name_);
  }

 private:
  std::string name_;
  Element element_;
  Handle data_;
  hsize_t rows_ = 0;
};

}  // namespace talus::hdf5
