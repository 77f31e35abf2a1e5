"""Reads radiocity_ffi.h: its constants, enums, structs and functions, and hands them to ctypes."""
import ctypes
import re

SIMPLE = {
    "void": None, "char": ctypes.c_char, "int": ctypes.c_int, "unsigned": ctypes.c_uint, "bool": ctypes.c_bool,
    "double": ctypes.c_double, "float": ctypes.c_float, "size_t": ctypes.c_size_t, "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64, "int32_t": ctypes.c_int32, "uint8_t": ctypes.c_uint8,
}


def statements(text):
    """Declarations at the top level, each on one line."""
    depth, start = 0, 0
    for i, letter in enumerate(text):
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and depth == 0:
            yield re.sub(r"\s+", " ", text[start:i]).strip()
            start = i + 1


class Header:
    """What the header declares; `types` holds ctypes by name."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
        self.constants = dict(re.findall(r"^#define (\w+) (.+)$", text, re.M))
        self.enums = []  # names of all their values
        self.fields = {}  # of each struct: name, ctype
        self.functions = {}  # name: result, parameters as (ctype, name, text)
        self.types = dict(SIMPLE)
        self.numbers = {}
        for statement in statements(re.sub(r"^#.*$", "", text, flags=re.M)):
            self.read(statement)

    def read(self, statement):
        enum = re.match(r"(?:typedef )?enum ?\w* ?\{(.*)\} ?(\w*)$", statement)
        struct = re.match(r"typedef struct \w+ \{(.*)\} (\w+)$", statement)
        opaque = re.match(r"typedef struct (\w+) \1$", statement)
        callback = re.match(r"typedef .*\(\*(\w+)\)\(.*\)$", statement)
        function = re.match(r"(.*?)\b(\w+)\((.*)\)$", statement)
        if enum:
            self.read_enum(enum.group(1))
            if enum.group(2):
                self.types[enum.group(2)] = ctypes.c_int
        elif struct:
            self.read_struct(struct.group(2), struct.group(1))
        elif opaque:
            self.types[opaque.group(1)] = None
        elif callback:
            self.types[callback.group(1)] = ctypes.c_void_p
        elif function:
            self.read_function(*function.groups())
        else:
            raise ValueError("not understood: " + statement)

    def read_enum(self, body):
        value = 0
        for item in filter(None, (part.strip() for part in body.split(","))):
            name, _, text = (part.strip() for part in item.partition("="))
            value = eval(text, {}, {}) if text else value  # pylint: disable=eval-used
            self.enums.append(name)
            self.numbers[name] = value
            value += 1

    def ctype(self, text):
        words = re.sub(r"\bconst\b", " ", text)
        base = self.types[words.replace("*", " ").split()[0]]
        if "*" in words:
            return ctypes.c_char_p if words.split()[0] == "char" and words.count("*") == 1 else ctypes.c_void_p
        return base

    def read_struct(self, name, body):
        fields = []
        for part in filter(None, (p.strip() for p in body.split(";"))):
            pointer = re.match(r".*\(\*(\w+)\)\(.*\)$", part)
            if pointer:
                fields.append((pointer.group(1), ctypes.c_void_p))
                continue
            first, *rest = re.split(r",", part)
            kind, item = re.match(r"(.*?[\s*])(\w+(?:\[\w+\])*)$", first).groups()
            for one in [item] + [r.strip() for r in rest]:
                sizes = re.findall(r"\[(\w+)\]", one)
                ctype = self.ctype(kind)
                for size in reversed(sizes):
                    ctype = ctype * int(self.numbers.get(size, size))
                fields.append((one.split("[")[0], ctype))
        self.fields[name] = fields
        self.types[name] = type(name, (ctypes.Structure,), {"_fields_": fields})

    def read_function(self, result, name, parameters):
        read = []
        for text in [] if parameters == "void" else re.split(r",(?![^(]*\))", parameters):
            text = text.strip()
            kind, item = re.match(r"(.*?[\s*])(\w+)(?:\[\w+\])?$", text).groups()
            is_array = text.endswith("]")
            read.append((ctypes.c_void_p if is_array else self.ctype(kind), item, text))
        self.functions[name] = (self.ctype(result), read)

    def load(self, path):
        """The library with the types of all its functions set."""
        library = ctypes.CDLL(path)
        for name, (result, parameters) in self.functions.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = [ctypes.c_void_p if ctype is ctypes.c_char_p and "const" not in text else ctype
                                 for ctype, _, text in parameters]
        return library
