# Makes the field reference in docs/job_files.md from kernels/job/job.schema.json: job_reference.py --update, or --check
# [BIN]. With the programs in BIN, --check also has them read every example on the page and in the schema.
import copy
import json
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "kernels/job/job.schema.json"
PAGE = ROOT / "docs/job_files.md"
EXAMPLES = ROOT / "docs/examples/job_files"
BEGIN = "<!-- Generated from kernels/job/job.schema.json by cmake/checks/job_reference.py --update: edit that schema -->"
END = "<!-- The generated part ends here -->"
COLUMNS = 118
WORDS = {"string": "string", "array": "list", "object": "object", "number": "number", "integer": "integer",
         "boolean": "boolean"}
SEPARATE = ("expression", "dim", "shapes", "rules", "rule", "step", "argument")  # described once, with a heading


def wrapped(text, first="", later=""):
    """The text wrapped at COLUMNS. Text between backquotes is not broken."""
    kept = re.sub(r"`[^`]*`", lambda found: found.group().replace(" ", "\0").replace("-", "\1"), text)
    lines = textwrap.wrap(kept, COLUMNS, initial_indent=first, subsequent_indent=later, break_long_words=False,
                          break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ").replace("\1", "-")


def sentence(text):
    """The description as a sentence, with quoted names and values as code, and links where it names this page."""
    text = text.replace("see Data in docs/job_files.md", "see [Data](#data)")
    text = re.sub(r'"([^"]+)"', r'`"\1"`', text)
    return text if text.endswith((".", "...")) else text + "."


class Reference:
    """The part of the page that is made from the schema."""

    def __init__(self, schema):
        self.schema = schema

    def name_of(self, node):
        return node["$ref"].rsplit("/", 1)[1] if "$ref" in node else None

    def resolved(self, node):
        """The node with what it refers to. Its own description comes first."""
        name = self.name_of(node)
        return {**self.schema["definitions"][name], **node} if name else node

    def kind(self, node):
        """What a value is, as text."""
        name = self.name_of(node)
        if name in SEPARATE:
            return {"dim": "one to three [expressions](#expression)", "shapes": "list of [shapes](#shapes-of-a-job)",
                    "rules": "list of [conditions](#condition)", "rule": "[condition](#condition)",
                    "argument": "[argument](#argument)",
                    "step": "[step](#step)", "expression": "[expression](#expression)"}[name]
        node = self.resolved(node)
        if "const" in node:
            return f'`"{node["const"]}"`'
        if "enum" in node:
            return ", ".join(f'`"{word}"`' for word in node["enum"])
        if "oneOf" in node:
            return " or ".join(self.kind(one) for one in node["oneOf"])
        types = node["type"] if isinstance(node["type"], list) else [node["type"]]
        words = " or ".join(WORDS[one] for one in types)
        if types == ["array"] and "items" in node:
            one = self.kind(node["items"])
            return "list of " + (one.replace("list", "lists", 1) if one.startswith("list") else one + "s")
        return words

    def objects_in(self, node):
        """The objects, with members of their own, that a value may be."""
        if self.name_of(node) in SEPARATE:
            return []
        node = self.resolved(node)
        found = [node] if "properties" in node else []
        below = [*node.get("oneOf", []), *[node[key] for key in ("items", "additionalProperties")
                                           if isinstance(node.get(key), dict)]]
        return found + [one for inner in below for one in self.objects_in(inner)]

    def members(self, node, indent=""):
        lines = []
        for name, member in node["properties"].items():
            whole = self.resolved(member)
            must = ", required" if name in node.get("required", []) else ""
            text = f"- `{name}` ({self.kind(member)}{must}): {sentence(whole['description'])}"
            lines.append(wrapped(text, indent, indent + "  "))
            for inner in self.objects_in(member):
                lines += self.members(inner, indent + "  ")
        return lines

    def examples(self, name, member):
        for example in member.get("examples", []):
            yield "```json\n" + written({name: example}) + "\n```"

    def text(self):
        parts = ["## Members of a job\n"]
        needed = self.schema["required"]
        for name, member in self.schema["properties"].items():
            if member.get("deprecated"):
                continue
            whole = self.resolved(member)
            must = ", required" if name in needed else ""
            parts.append(f"### `{name}`\n")
            parts.append(wrapped(f"{self.kind(member)[0].upper()}{self.kind(member)[1:]}{must}. "
                                 f"{sentence(whole['description'])}") + "\n")
            lines = [line for inner in self.objects_in(member) for line in self.members(inner)]
            if lines:
                parts.append("\n".join(lines) + "\n")
            parts += [example + "\n" for example in self.examples(name, member)]
        parts.append("## What several members have\n")
        titles = {"expression": "Expression", "rule": "Condition", "shapes": "Shapes of a job", "step": "Step",
                  "argument": "Argument"}
        for name, title in titles.items():
            node = self.schema["definitions"][name]
            parts.append(f"### {title}\n\n{wrapped(sentence(node['description']))}\n")
            parts += ["\n".join(self.members(inner)) + "\n" for inner in self.objects_in(node)]
        return "\n".join(parts)


def written(value):
    """The member as JSON: on one line if it fits, otherwise one level per line, without the outermost braces."""

    def lines(value, indent, room):
        flat = json.dumps(value, ensure_ascii=False)
        if len(flat) + len(indent) <= room or not isinstance(value, (dict, list)) or not value:
            return flat
        items = value.items() if isinstance(value, dict) else [(None, one) for one in value]
        inner = [("" if key is None else f"{json.dumps(key)}: ") + lines(one, indent + "  ", room - 8)
                 for key, one in items]
        opening, closing = "{}" if isinstance(value, dict) else "[]"
        return opening + "\n" + ",\n".join(indent + "  " + one for one in inner) + "\n" + indent + closing

    (name, member), = value.items()
    return f"{json.dumps(name)}: {lines(member, '', COLUMNS - 6 - len(name))}"


def renewed(page, schema):
    """The page with a new generated part."""
    before, _, rest = page.partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        raise SystemExit(f"{PAGE.name} has no generated part: it stands between two lines, {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{Reference(schema).text()}\n{END}{after}"


def members_of(block):
    """A code block as members of a job, which may be in braces. Comments are removed."""
    text = re.sub(r"^\s*//.*$", "", block, flags=re.MULTILINE).strip()
    return json.loads(text if text.startswith("{") else "{" + text + "}")


def jobs_of(page, base):
    """Every example as (words, job). An example with some members only changes those of the base job."""
    for found in re.finditer(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        where = f"{PAGE.name}:{page.count(chr(10), 0, found.start()) + 2}"
        try:
            members = members_of(found.group(1))
        except json.JSONDecodeError as error:
            yield where, str(error)
            continue
        whole = {"extents", "buffers", "steps", "shapes"} <= set(members)
        yield where, members if whole else {**copy.deepcopy(base), **members}


def complaints_of_programs(jobs, bin_folder):
    """The messages of conform on jobs that it cannot read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in EXAMPLES.iterdir():
            shutil.copy(file, folder)
        for number, (where, job) in enumerate(jobs):
            if isinstance(job, str):
                yield f"{where}: {job}"
                continue
            job.setdefault("file", "fields.cu")
            job["name"] = f"example_{number}"
            path = folder / f"example_{number}.json"
            path.write_text(json.dumps(job, indent=1))
            done = subprocess.run([bin_folder / "conform", path, "--list"], capture_output=True, text=True, timeout=60)
            if done.returncode != 0:
                yield f"{where}: the example is refused: {done.stderr.strip().replace(str(folder) + '/', '')}"


def main(arguments):
    schema = json.loads(SCHEMA.read_text())
    page = PAGE.read_text()
    made = renewed(page, schema)
    if arguments[:1] == ["--update"]:
        PAGE.write_text(made)
        return 0
    complaints = [] if made == page else [f"{PAGE.name} is not what the schema says: {Path(__file__).name} --update"]
    complaints += [f"{PAGE.name}:{number}: has {len(line)} columns, more than 120"
                   for number, line in enumerate(made.splitlines(), 1) if len(line) > 120]
    base = members_of((EXAMPLES / "fields.json").read_text())
    jobs = list(jobs_of(made, base))
    if len(arguments) > 1:
        complaints += complaints_of_programs(jobs, Path(arguments[1]))
    print("\n".join([*complaints, f"{len(complaints)} complaints, {len(jobs)} examples"]))
    return 1 if complaints or not jobs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
