// Compile the modules of an archive with the runtime's own Python: node compile.mjs IN.zip OUT.zip
// What loads compiled code starts a second sooner than what loads sources.
import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";

const [source, target] = process.argv.slice(2);
const python = await loadPyodide();
python.FS.writeFile("/in.zip", readFileSync(source));
python.runPython(`
import importlib.util
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

with zipfile.ZipFile("/in.zip") as given, zipfile.ZipFile("/out.zip", "w") as made:
    for entry in given.infolist():
        data, name = given.read(entry), entry.filename
        if name.endswith(".py"):
            code = compile(data, name, "exec", dont_inherit=True, optimize=0)
            data = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(data), False))
            name += "c"
        packed = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        packed.compress_type = zipfile.ZIP_DEFLATED
        made.writestr(packed, data, compresslevel=9)
`);
writeFileSync(target, python.FS.readFile("/out.zip"));
