/// How a file can be in the rows and on the disk.
struct FileForm {
    /// What the folder has of it; `none` has no path either.
    enum Presence { case whole, empty, part, damaged, missing, none }

    /// `ci_file_status`; nil in old rows.
    let status: String?
    let presence: Presence
    var isSent = false
    var transport = "xftp"
    /// `file_status` of the transfer.
    var transferStatus = "complete"
    /// The sender's name for it, where that is not the name here.
    var shownName: String?
    /// What stands in front of the name in the path.
    var folder = ""
    var isAtOddName = false

    static let all: [FileForm] = sent + received + names

    private static let sent: [FileForm] = [
        FileForm(status: "snd_stored", presence: .whole, isSent: true),
        FileForm(status: "snd_transfer 4096 65536", presence: .whole, isSent: true),
        FileForm(status: "snd_transfer", presence: .whole, isSent: true),
        FileForm(status: "snd_cancelled", presence: .whole, isSent: true),
        FileForm(status: "snd_complete", presence: .whole, isSent: true, transport: "smp"),
        FileForm(status: "snd_error", presence: .whole, isSent: true),
        FileForm(status: "snd_error auth", presence: .whole, isSent: true),
        FileForm(status: "snd_warning relay other TIMEOUT", presence: .missing, isSent: true),
        FileForm(status: "snd_complete", presence: .damaged, isSent: true),
    ]

    private static let received: [FileForm] = [
        FileForm(status: "rcv_invitation", presence: .none, transferStatus: "new"),
        FileForm(status: "rcv_accepted", presence: .empty, transferStatus: "accepted"),
        FileForm(status: "rcv_transfer 32768 65536", presence: .empty, transferStatus: "connected"),
        FileForm(status: "rcv_transfer", presence: .part, transport: "smp", transferStatus: "connected"),
        FileForm(status: "rcv_aborted", presence: .none, transferStatus: "cancelled"),
        FileForm(status: "rcv_complete", presence: .whole),
        FileForm(status: "rcv_complete", presence: .missing),
        FileForm(status: "rcv_complete", presence: .damaged),
        FileForm(status: "rcv_complete", presence: .empty),
        FileForm(status: "rcv_cancelled", presence: .none, transferStatus: "cancelled"),
        FileForm(status: "rcv_error", presence: .none, transferStatus: "accepted"),
        FileForm(status: "rcv_error no_file", presence: .empty, transferStatus: "accepted"),
        FileForm(
            status: #"rcv_error blocked xftp1.example.org reason=content,notice={"ttl":3600}"#,
            presence: .none,
            transferStatus: "accepted"),
        FileForm(status: "rcv_warning relay host", presence: .empty, transferStatus: "accepted"),
        FileForm(status: "something else", presence: .none), FileForm(status: nil, presence: .whole),
        FileForm(status: nil, presence: .none),
    ]

    /// Names and paths that must not lead out of the folder, or into a page.
    private static let names: [FileForm] = [
        FileForm(status: "rcv_complete", presence: .whole, shownName: "../../../etc/passwd"),
        FileForm(status: "rcv_complete", presence: .whole, shownName: HostileTexts.markup[1]),
        FileForm(status: "rcv_complete", presence: .whole, shownName: "\u{202E}gpj.exe"),
        FileForm(status: "rcv_complete", presence: .whole, shownName: "CON"),
        FileForm(
            status: "rcv_complete", presence: .whole,
            shownName: String(repeating: "long", count: 200) + ".txt"),
        FileForm(status: "rcv_complete", presence: .missing, shownName: "passwd", folder: "../../etc/"),
        FileForm(status: "rcv_complete", presence: .missing, shownName: "passwd", folder: "/etc/"),
        FileForm(status: "snd_complete", presence: .whole, isSent: true, isAtOddName: true),
        FileForm(status: "snd_complete", presence: .whole, isSent: true, shownName: ""),
    ]
}
