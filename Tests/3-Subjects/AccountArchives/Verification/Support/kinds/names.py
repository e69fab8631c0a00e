"""Names that lead elsewhere, and names that meet."""

from cases import CHAT, FILES, case, entry_case
from forge import Entry, unicode_name


def named(case_name, what, status, defect, *names):
    @case(case_name, what, status, defect)
    def _(account):
        return account.zip(*(Entry(name, b"1234") for name in names)).bytes()


named("name-empty", "An entry without a name.", 14, "nameEmpty", "")
named("name-absolute", "An entry /etc/cron.d/evil.", 14, "nameAbsolute", "/etc/cron.d/evil")
named("name-parent", "An entry ../evil.", 14, "nameParent", "../evil")
named("name-parent-inside", "An entry that climbs out of the media folder.", 14, "nameParent", FILES + "../../evil")
named("name-dot", "An entry with a dot as a component.", 14, "nameDot", FILES + "./evil")
named("name-two-slashes", "An entry with two slashes in a row.", 14, "nameEmptyComponent", FILES + "/evil")
named("name-backslash", "An entry ..\\evil, which climbs on Windows.", 14, "nameBackslash", "..\\evil")
named("name-drive", "An entry C:evil.", 14, "nameDrive", "C:evil")
named("name-device", "An entry that is a device on Windows.", 14, "nameDevice", FILES + "NUL.txt")
named("name-escape", "An entry whose name controls the terminal.", 14, "nameControl", FILES + "a\x1b[31m")
named("name-nul", "An entry whose name hides its end behind a zero byte.", 14, "nameControl",
      FILES + "photo.jpg\0.exe")
named("name-stream", "An entry with a colon, a hidden stream on Windows.", 14, "nameReserved", FILES + "a:stream")
named("name-trailing-dot", "An entry that ends with a dot, which Windows drops.", 14, "nameTrailing",
      FILES + "photo.jpg.")
named("name-long", "An entry with a name of 256 bytes.", 14, "nameTooLong", FILES + "a" * 256)
named("name-huge", "An entry with a name of 60,000 bytes.", 14, "nameTooLong", FILES + "a" * 60000)
named("name-path-long", "An entry with a path of 4,097 bytes.", 14, "nameTooLong",
      FILES + "/".join(["a" * 99] * 40) + "/" + "a" * 80)
named("name-deep", "An entry in 64 folders.", 14, "nameTooDeep", "/".join("a" * 65))
named("name-not-utf8", "An entry whose name is not UTF-8 and says it is.", 14, "nameNotUTF8", b"a\xff\xfe")
named("name-overlong", "An entry with dots in overlong UTF-8.", 14, "nameNotUTF8", b"\xc0\xae\xc0\xae/evil")
named("twins", "Two entries of one name, with different content.", 13, "nameDuplicate", CHAT)
named("twins-case", "Two entries that differ in case alone.", 14, "nameCase", CHAT.upper())
named("twins-form", "Two entries that differ in the form of an accent alone.", 14, "nameCase", FILES + "\u00e9",
      FILES + "e\u0301")
named("file-as-folder", "A file that is another's folder.", 13, "nameFileAsFolder", FILES + "a", FILES + "a/b")
named("database-as-folder", "An entry inside of the chat database.", 13, "nameFileAsFolder", CHAT + "/b")


@case("name-bidi", "A mark in a name turns the direction of text: an .exe looks like a .jpg.", 0)
def _(account):
    return account.zip(Entry(FILES + "photo\u202egpj.exe", b"1234")).bytes()


@entry_case("name-second", "Info-ZIP's field gives another name: ../evil.", 13, "nameTwin")
def _():
    entry = Entry(FILES + "photo.jpg", b"1234")
    return entry.both(extra=unicode_name("../evil", entry.central.name))


@case("name-second-database", "Info-ZIP's field says that another file is the chat database.", 13, "nameTwin")
def _(account):
    archive = account.zip()
    entry = archive.entry(account.photo)
    entry.both(extra=unicode_name(CHAT, entry.central.name))
    return archive.bytes()
