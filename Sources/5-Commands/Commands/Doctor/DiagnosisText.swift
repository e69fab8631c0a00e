import Valise
import ValiseEncoding
import ValiseTerminal

/// The findings of a diagnosis as aligned lines, each with its hints below.
enum DiagnosisText {
    static func text(_ diagnosis: Diagnosis) -> String {
        let lines = diagnosis.findings.flatMap { finding in
            [
                "\(finding.state.rawValue.padded(to: 9))\(name(finding.check).padded(to: 13))\(finding.text.text)"
            ]
                + hints(finding).map { "         \(Hint.mark)\($0)" }
        }
        let problems = Count.text(diagnosis.count(.problem), "problem")
        let end = "\(problems), \(Count.text(diagnosis.count(.note), "note"))"
        return (lines + [end]).map(\.withoutControls).joined(separator: "\n")
    }

    static func hints(_ finding: Diagnosis.Finding) -> [String] {
        finding.remedies.flatMap(choices).map(\.text)
    }

    private static func name(_ check: Diagnosis.Check) -> String {
        switch check {
        case .coreDumps: "core dumps"
        case .keyStore: "key store"
        default: check.rawValue
        }
    }

    private static func choices(_ remedy: DiagnosisRemedy) -> [Hint] {
        switch remedy {
        case .common(let remedy): RemedyCommand.hints(remedy)
        case .makeContentPrivate(let folder):
            [Hint("keep other users out", ofSystem: "chmod -R go=", folder)]
        case .takeOwnership(let folder):
            [Hint("make them yours", ofSystem: "sudo chown -R \"$(id -un)\"", folder)]
        case .lookAt(let path): [Hint("see who has access", ofSystem: "ls -ld", path)]
        case .setAside(let path):
            [
                Hint(
                    "begin with an empty queue and keep this one", ofSystem: "mv \(ShellWord(path).text)",
                    path.appendingSuffix(".old"))
            ]
        case .forbidCoreDumps: [Hint("forbid them", ofSystem: "ulimit -c", arguments: "0")]
        case .startKeyring:
            [Hint("log in to a desktop session, or use the key store 'kernel' or 'file'")]
        case .unlockKeyring: [Hint("unlock the desktop keyring")]
        case .chooseKeyStore: [Hint("use another key store")]
        case .checkRelay: [Hint("check the relay's address, your network and the firewall")]
        case .updateLibrary(let name): [Hint("install a newer version of \(name)")]
        case .raiseLockedMemory:
            [Hint("raise the limit: LimitMEMLOCK= in systemd, or memlock in limits.conf")]
        case .setClock:
            [Hint("synchronize the clock", ofSystem: "timedatectl set-ntp", arguments: "true")]
        case .freeSpace(let folder): [Hint("free space on the file system of \(folder)")]
        case .nameHome: [Hint("set HOME, or XDG_STATE_HOME and XDG_CONFIG_HOME")]
        case .listRelays:
            [Hint("list relays in ~/.config/valise/relays"), Hint("name one", options: "--server")]
        case .showUploads: [Hint("see them", command: "file send", "", options: ["--list"])]
        case .showJobs: [Hint("see them", command: "jobs list", "")]
        case .showMoves: [Hint("see the next steps", command: "move status", "")]
        }
    }
}

/// The same as JSON.
struct DiagnosisDocument: Encodable {
    let type = "diagnosis"
    let problems: Int
    let notes: Int
    let checks: [Line]

    struct Line: Encodable {
        let check: Diagnosis.Check
        let state: Diagnosis.State
        let text: String
        let hint: [String]
    }

    init(_ diagnosis: Diagnosis) {
        problems = diagnosis.count(.problem)
        notes = diagnosis.count(.note)
        checks = diagnosis.findings.map {
            Line(check: $0.check, state: $0.state, text: $0.text.text, hint: DiagnosisText.hints($0))
        }
    }
}
