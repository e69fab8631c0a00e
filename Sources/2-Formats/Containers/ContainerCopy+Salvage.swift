import ValiseArchives
package import ValiseConcurrency
package import ValiseFailures
package import ValiseFiles

extension ContainerCopy {
    /// What a container has that is not in its zip as it was.
    package struct Findings: Sendable {
        /// An entry that is refused, or of which not all could be read.
        package struct Lost: Sendable {
            /// Nil where it has none that can be shown.
            package let name: String?
            package let reason: Remark
            /// How many of its bytes are in the zip, under its name; nil where it is not there at all.
            package let copied: Int64?
        }

        package internal(set) var lost: [Lost] = []
        /// Why what follows was not read; nil where all of the container was.
        package internal(set) var end: ContainerError?
        /// How many entries there were, folders included.
        package internal(set) var entries = 0
        /// Whether anything of a file is in the zip.
        package internal(set) var hasContent = false

        package init() {}

        /// Counts an entry of which nothing is taken.
        fileprivate mutating func refuse(_ name: String?, _ reason: String) {
            entries += 1
            lost.append(Lost(name: name, reason: Remark(reason), copied: nil))
        }
    }

    /// Copies what can be read of a damaged container, up to the first damage: what lies behind it, nothing says.
    ///
    /// An entry that is refused is left out. One that is cut is in the zip as far as it came, and is named in the findings.
    ///
    /// - Parameters:
    ///   - archive: the container.
    ///   - kind: what it is by its first bytes.
    ///   - findings: gets what is not in the zip.
    ///   - progress: sees how much of it was read; throw to stop.
    /// - Returns: the zip.
    /// - Throws: ``ContainerError`` with `noSpace` or `noLibrary`; `FileError`; whatever `progress` throws.
    package func salvage(
        _ archive: FileSource, _ kind: ContainerKind, findings: inout Findings, progress: ProgressHandler
    ) throws -> OpenFile {
        var found = Findings()
        let file = try copied(archive, kind, trustsSizes: false, progress) { reader, writer in
            while try copyNext(reader, writer, kind, &found) {}
        }
        findings = found
        return file
    }

    /// - Returns: whether there may be another entry.
    private func copyNext(
        _ reader: ContainerReader, _ writer: ZipWriter, _ kind: ContainerKind, _ found: inout Findings
    ) throws -> Bool {
        do {
            guard let entry = try reader.next() else { return false }
            found.entries += 1
            if entry.isFolder { return true }
            return try copy(entry, reader, writer, kind, &found)
        } catch let error as ZipError where error.entry != nil || error.defect == .nameEmpty {
            found.refuse(error.entry, error.message)
            return true
        } catch let error as ContainerError where error.isOfOneEntry {
            found.refuse(error.entry, error.message)
            return true
        } catch let error as ContainerError where error.isOfContent {
            found.end = error
            return false
        }
    }

    /// - Returns: whether there may be another entry.
    private func copy(
        _ entry: ContainerEntry, _ reader: ContainerReader, _ writer: ZipWriter, _ kind: ContainerKind,
        _ found: inout Findings
    ) throws -> Bool {
        var damage: ContainerError?
        let copied = try unsafe writer.add(
            entry.name, size: entry.size, modificationTime: entry.modified, method: .stored,
            next: { buffer in
                // An error here would end the zip too.
                do {
                    return try unsafe reader.read(into: buffer)
                } catch let error as ContainerError where error.isOfContent {
                    damage = error
                    return 0
                }
            })
        if copied > 0 || damage == nil { found.hasContent = true }
        var isEntryDamaged = damage != nil
        if damage == nil {
            do {
                try reader.verifyEntry()
            } catch let error as ContainerError where error.isOfContent {
                damage = error
                // Only a 7z has a checksum of the entry. In others, what is wrong here is what follows.
                isEntryDamaged = kind == .sevenZip || error.defect == .size
            }
        }
        guard let damage else { return true }
        found.end = damage
        if isEntryDamaged {
            found.lost.append(
                Findings.Lost(
                    name: entry.name, reason: Remark(damage.message, remedy: damage.limitRemedy),
                    copied: copied))
        }
        return false
    }
}

extension ContainerError {
    /// Whether it is about what is in the archive, and not about this machine.
    fileprivate var isOfContent: Bool { code == .damaged || code == .unsupported || defect == .totalSize }

    /// What can be done where a limit was reached. That the archive can be salvaged is no news to a salvage.
    package var limitRemedy: Remedy? {
        switch defect {
        case .ratio, .totalSize: remedy
        default: nil
        }
    }
}
