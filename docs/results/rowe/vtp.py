"""Reads the ParaView files of a run (`vtk/*.vtp`): no packages needed."""
import base64, re, struct

KINDS = {"Float64": "d", "Float32": "f", "Int64": "q", "UInt64": "Q", "Int32": "i", "UInt32": "I", "UInt8": "B"}


def read_vtp(path):
    """Arrays by their names; those of several components as lists of tuples."""
    out = {}
    for kind, name, parts, text in re.findall(r'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)"[^>]*>\s*([\w+/=]*)', path.read_text()):
        data, kind, parts = base64.b64decode(text), KINDS[kind], int(parts)
        count = struct.unpack_from("<Q", data)[0] // struct.calcsize(kind)
        values = struct.unpack_from(f"<{count}{kind}", data, 8)
        out[name] = values if parts == 1 else [values[k:k + parts] for k in range(0, count, parts)]
    return out
