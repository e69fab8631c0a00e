import SystemPackage
import ValiseAccounts
import ValiseConcurrency
import ValiseEncoding
import ValiseFailures
import ValiseFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Looks for what an account does not need.
struct PurgeSearch {
    private let location: AccountLocation
    private let protected: ProtectedNames
    private let fileSystem: FileSystem
    private var plan: MediaPurgePlan

    init(_ location: AccountLocation, _ protected: ProtectedNames, _ fileSystem: FileSystem) {
        self.location = location
        self.protected = protected
        self.fileSystem = fileSystem
        plan = MediaPurgePlan(folder: location.directory)
    }

    /// - Throws: ``FileError``; whatever `progress` throws.
    consuming func run(_ progress: ProgressHandler) throws -> MediaPurgePlan {
        let others = try otherAccounts()
        let sharing =
            "several accounts share this folder (\(([location.prefix] + others).joined(separator: ", ")))"
        if location.style == .ios, !others.isEmpty {
            plan.notes.append("\(sharing) and its media; the media were skipped")
        } else {
            try look(in: location.filesName, .unreferenced, progress)
        }
        if others.isEmpty {
            for name in temporaryNames { try look(in: name, .temporary, progress) }
        } else {
            plan.notes.append("\(sharing) and its temporary files; these were skipped")
        }
        try lookBesideDatabases()
        return plan
    }

    // MARK: Folders

    private var temporaryNames: [String] {
        let own =
            switch location.style {
            case .desktop: "tmp"
            case .ios: "temp_files"
            case .android: "\(location.prefix)/temp_files"
            }
        return [own, AccountLocation.moveFolderName]
    }

    private func otherAccounts() throws -> [String] {
        var found: Set<String> = []
        for entry in try fileSystem.list(location.directory) {
            guard let name = entry.name,
                let suffix = AccountDatabase.allCases.map(\.suffix).first(where: { name.hasSuffix($0) })
            else { continue }
            found.insert(String(name.dropLast(suffix.count)))
        }
        return found.subtracting([location.prefix, ""]).sorted()
    }

    private mutating func look(
        in name: String, _ reason: MediaPurgePlan.Reason, _ progress: ProgressHandler
    ) throws {
        guard let place = try PurgePlace(name, of: location.directory, fileSystem) else { return }
        // A folder that everybody may write to is the system's.
        if let mode = try fileSystem.attributes(of: place.folder)?.permissions, mode.contains(.otherWrite) {
            plan.notes.append(
                "\(place.folder.string) is writable by all users, so it does not belong to the app; skipped")
            return
        }
        try walk(place, "", reason, progress)
    }

    private mutating func walk(
        _ place: PurgePlace, _ folder: String, _ reason: MediaPurgePlan.Reason, _ progress: ProgressHandler
    ) throws {
        try progress(OperationProgress("looking for unreferenced media"))
        for entry in try fileSystem.list(folder.isEmpty ? place.folder : place.path(folder)) {
            guard let name = entry.name else {
                noteOddName(entry, folder, place)
                continue
            }
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            guard !protected.contains(name) else { continue }
            switch entry.kind {
            case .directory: try walk(place, path, reason, progress)
            case .regular:
                let size = try fileSystem.attributes(of: place.path(path))?.size ?? 0
                plan.items.append(.init(place, path, size: size, reason))
            // Nothing here follows links, and devices and pipes are no media.
            case .symbolicLink, .special: continue
            }
        }
    }

    private mutating func noteOddName(_ entry: DirectoryEntry, _ folder: String, _ place: PurgePlace) {
        let shown = String(decoding: entry.nameBytes, as: UTF8.self)
        plan.notes.append("skipped a name in \(place.path(folder).string) that is not valid UTF-8: \(shown)")
    }

    // MARK: Beside the databases

    private mutating func lookBesideDatabases() throws {
        let place = PurgePlace(account: location.directory)
        let exported = AccountDatabase.allCases.map { location.prefix + $0.suffix + ".exported" }
        for entry in try fileSystem.list(location.directory) {
            guard let name = entry.name else { continue }
            let path = place.path(name)
            switch entry.kind {
            case .regular where exported.contains(name):
                try add(place, name, .staleExport)
            case .regular where name.hasSuffix(PendingFile.suffix):
                if try !isBeingWritten(path) { try add(place, name, .staleWork) }
            case .directory:
                if try isStaleReading(name) || isStaleParts(name, path) { try add(place, name, .staleWork) }
            default: break
            }
        }
        try noteBackups()
    }

    private mutating func add(_ place: PurgePlace, _ name: String, _ reason: MediaPurgePlan.Reason) throws {
        plan.items.append(.init(place, name, size: try size(of: place.path(name)), reason))
    }

    private func size(of path: FilePath) throws -> Int64 {
        guard let found = try fileSystem.attributes(of: path) else { return 0 }
        guard found.kind == .directory else { return found.size }
        return try fileSystem.list(path).reduce(0) { sum, entry in
            guard let name = FilePath.Component(bytes: entry.nameBytes) else { return sum }
            return try sum + size(of: path.appending(name))
        }
    }

    /// The writer holds a lock on the first byte, see ``PendingFile``.
    private func isBeingWritten(_ path: FilePath) throws -> Bool {
        try !fileSystem.openForUpdating(path).lockRange(.exclusive, start: 0, length: 1)
    }

    /// The private copies of a run that reads, `.PREFIX.valise-reading-PROCESS`.
    private func isStaleReading(_ name: String) throws -> Bool {
        let lead = ".\(location.prefix).valise-reading-"
        guard name.hasPrefix(lead), let process = Int32(name.dropFirst(lead.count)), process > 0 else {
            return false
        }
        return kill(process, 0) != 0 && errno == ESRCH
    }

    /// The private copies of an export, `ARCHIVE.parts`; they are beside the archive that is being written.
    private func isStaleParts(_ name: String, _ path: FilePath) throws -> Bool {
        let suffix = ".parts"
        guard name.hasSuffix(suffix) else { return false }
        let partial = location.directory.appending(name.dropLast(suffix.count) + PendingFile.suffix)
        if try fileSystem.attributes(of: partial)?.kind == .regular, try isBeingWritten(partial) {
            return false
        }
        // Of ours there are copies of databases in it, and nothing else.
        return try fileSystem.list(path).allSatisfy { entry in
            entry.kind == .regular
                && AccountDatabase.allCases.contains { entry.name?.contains($0.suffix) ?? false }
        }
    }

    private mutating func noteBackups() throws {
        for database in AccountDatabase.allCases {
            let path = location.path(of: database).appendingSuffix(".bak")
            guard let found = try fileSystem.attributes(of: path) else { continue }
            let name = path.lastComponent?.string ?? ""
            plan.notes.append(
                Remark(
                    "kept \(name), a previous database of \(Count.bytes(found.size)) that may have a previous "
                        + "passphrase or none", remedy: .removeWhenUnneeded(path)))
        }
    }
}
