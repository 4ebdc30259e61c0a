"""Reads the ParaView files of a run (`vtk/*.vtp`): no packages needed."""
import re, struct

KINDS = {"Float64": "d", "Int64": "q", "UInt64": "Q", "Int32": "i", "UInt32": "I", "UInt8": "B"}


def read_vtp(path):
    """Arrays by their names; those of several components as lists of tuples."""
    data = path.read_bytes()
    end = data.index(b"<AppendedData")
    start = data.index(b"_", end) + 1
    out = {}
    for kind, name, parts, offset in re.findall(r'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)"[^>]*offset="(\d+)"', data[:end].decode()):
        at, kind, parts = start + int(offset), KINDS[kind], int(parts)
        count = struct.unpack_from("<Q", data, at)[0] // struct.calcsize(kind)
        values = struct.unpack_from(f"<{count}{kind}", data, at + 8)
        out[name] = values if parts == 1 else [values[k:k + parts] for k in range(0, count, parts)]
    return out
