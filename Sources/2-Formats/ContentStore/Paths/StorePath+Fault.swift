import ValiseStorage

extension StorePath {
    /// Why a text is no path of a store, as the end of a sentence.
    package enum Fault: String, Sendable, Hashable, CaseIterable {
        case empty = "it is empty"
        case tooLong = "it is too long"
        case absolute = "it begins with a slash"
        case backslash = "it contains a backslash"
        case control = "it contains a control character"
        case emptyComponent = "a component is empty"
        case relative = "a component is . or .."
        case marker = "a component is the marker of folders"
        case notComposed = "it is not in Unicode normalization form C"
        case ending = "a component ends in a dot or a blank"
        case character = "it contains a character that Windows does not take"
        case device = "a component is the name of a device of Windows"
        case gitFolder = "a component is another spelling of a Git folder, or of a name inside one"
    }
}

extension StorePath.Fault {
    /// What makes a path lead elsewhere; nil for none.
    init?(structureOf text: String) {
        if text.utf8.count <= StorePath.mostBytes, text.isSimplePath { return nil }
        // By bytes and scalars: a combining mark behind a slash does not hide it.
        let components = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if text.isEmpty {
            self = .empty
        } else if text.utf8.count > StorePath.mostBytes {
            self = .tooLong
        } else if text.utf8.first == UInt8(ascii: "/") {
            self = .absolute
        } else if text.utf8.contains(UInt8(ascii: "\\")) {
            self = .backslash
        } else if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            self = .control
        } else if components.contains(where: \.isEmpty) {
            self = .emptyComponent
        } else if components.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
            self = .relative
        } else if components.contains(where: { $0.elementsEqual(DirectoryMarker.name.utf8) }) {
            self = .marker
        } else {
            return nil
        }
    }

    /// What makes a path not canonical; nil for none.
    init?(_ text: String) {
        if let fault = Self(structureOf: text) {
            self = fault
            return
        }
        let components = text.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        if !text.isComposed {
            self = .notComposed
        } else if components.contains(where: Self.endsBadly) {
            self = .ending
        } else if text.utf8.contains(where: Self.forbidden.contains) {
            self = .character
        } else if components.contains(where: Self.isDevice) {
            self = .device
        } else if Self.isGitSpelling(components) {
            self = .gitFolder
        } else {
            return nil
        }
    }

    private static let forbidden = Set("<>:\"|?*".utf8)

    private static func endsBadly(_ component: String) -> Bool {
        guard let last = component.unicodeScalars.last else { return false }
        return last == "." || last.properties.isWhitespace
    }

    // MARK: Names

    private static let devices: Set<String> = {
        let numbered = (1...9).map(String.init) + ["¹", "²", "³"]
        return Set(
            ["con", "prn", "aux", "nul", "conin$", "conout$"]
                + numbered.flatMap { ["com\($0)", "lpt\($0)"] })
    }()

    /// Windows looks at what is before the first dot, without blanks at its end.
    private static func isDevice(_ component: String) -> Bool {
        let stem = component.prefix { $0 != "." }
        let trimmed = stem.prefix(stem.count - stem.reversed().prefix { $0 == " " }.count)
        return devices.contains(trimmed.lowercased())
    }

    /// Names inside of a Git folder that Git itself looks for.
    private static let gitNames: [String: String] = Dictionary(
        [
            "HEAD", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "COMMIT_EDITMSG", "branches", "config",
            "description", "hooks", "index", "info", "lfs", "logs", "modules", "objects", "packed-refs",
            "refs",
            "shallow", "worktrees",
        ].map { ($0.lowercased(), $0) }
    ) { first, _ in first }

    private static func isGitSpelling(_ components: [String]) -> Bool {
        var isInGit = false
        for component in components {
            let folded = component.folded
            if folded == "git~1" || folded == ".git" && component != ".git" { return true }
            if isInGit, let name = gitNames[folded], name != component { return true }
            isInGit = component == ".git"
        }
        return false
    }
}
