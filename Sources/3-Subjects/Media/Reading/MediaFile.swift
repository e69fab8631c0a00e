package import SystemPackage
import ValiseFailures
package import ValiseFiles
package import ValiseMediaRules

/// A file on disk as a medium: what it is, told by its content where possible.
package struct MediaFile: Sendable, Equatable {
    /// The name that travels with it.
    package let name: String
    /// In bytes.
    package let size: Int64
    /// Nil where the first bytes are of no known format.
    package let format: MediaFormat?
    package let kind: MediaKind
    /// In seconds; nil where it has none, or does not tell.
    package let duration: Double?
    /// Why an MP4 or M4A could not be looked into, such as a download that is not complete.
    package let defect: MediaRulesError?

    /// Looks at the file's first bytes and, in an MP4, at some of its boxes. Links are followed.
    /// - Throws: `FileError`: `notFound` where no regular file is.
    package init(_ path: FilePath, fileSystem: FileSystem = FileSystem()) throws {
        let target: FilePath
        do {
            target = try fileSystem.resolve(path)
        } catch {
            throw FileError(error.code, error.message, path, errno: error.errno)
        }
        guard try fileSystem.attributes(of: target)?.kind == .regular else {
            throw FileError(.notFound, "not a regular file", path, remedy: .nameSingleFiles)
        }
        let source = try FileSource(target, fileSystem: fileSystem)
        name = path.lastComponent?.string ?? path.string
        size = source.size
        let signature = MediaSignature(head: try source.bytes(at: 0, upTo: MediaSignature.headLength))
        format = signature?.format
        let told = MediaKind(signature, fileName: name)
        guard let signature, signature.format.hasBoxes else {
            (kind, duration, defect) = (told, nil, nil)
            return
        }
        do {
            let outline = try MP4Outline(size: source.size) { try source.bytes(at: $0, upTo: $1) }
            // Where no track is described, as in the halves of a stream, the brand and the name know better.
            kind = outline.kind == .file ? told : outline.kind
            (duration, defect) = (outline.duration, nil)
        } catch let error as MediaRulesError {
            (kind, duration, defect) = (told, nil, error.naming(path.string))
        }
    }

    /// How it would travel.
    /// - Parameters:
    ///   - kind: to send it as another kind than ``kind``.
    ///   - transport: the way that is chosen.
    /// - Throws: `MediaRulesError`: `invalid` for a name that is too long to travel.
    package func plan(
        as kind: MediaKind? = nil, by transport: TransferProtocol = .xftp
    ) throws(MediaRulesError) -> TransferPlan {
        try TransferPlan(kind ?? self.kind, size: size, fileName: name, duration: duration, by: transport)
    }
}
