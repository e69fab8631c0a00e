import SystemPackage
import ValiseComposition
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMedia
import ValiseMediaRules

/// Makes of a file what a message carries of it.
struct AttachmentPreparing: Sendable {
    /// Where prepared pictures are written; nil for nowhere.
    let folder: FilePath?
    /// Whether pictures and videos go as files, without a preview.
    let asFiles: Bool
    let pictures: PicturePreparer

    /// A file as it goes with a message.
    struct Attachment: Sendable {
        enum Content: Sendable {
            case media(AttachedMedia)
            case file(ComposedFile)
        }

        let content: Content
        let limits: [MessageLimitCheck]
        let note: AttachmentNote?
    }

    /// - Throws: `FileError`; `MediaRulesError` for a picture or a video that cannot be prepared; whatever the checkpoint throws.
    func prepare(_ path: FilePath, _ checkpoint: () throws -> Void) throws -> Attachment {
        let file = try MediaFile(path)
        switch asFiles ? .file : file.kind {
        case .image: return try picture(path, file, checkpoint)
        case .video: return try film(path, file, checkpoint)
        case .voice, .file:
            return Attachment(
                content: .file(ComposedFile(path, file)), limits: [.file(file)], note: nil)
        }
    }

    // MARK: Pictures

    private func picture(
        _ path: FilePath, _ file: MediaFile, _ checkpoint: () throws -> Void
    ) throws -> Attachment {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        } catch {
            throw FileError(cannot: "read", path, error as? Errno ?? .ioError)
        }
        defer { try? descriptor.close() }
        do {
            let picture = try pictures.prepare(
                descriptor, size: file.size, wantsFile: folder != nil, checkpoint: checkpoint)
            let preview = picture.preview
            let (composed, note) = try self.file(of: picture, path, file)
            let limits: [MessageLimitCheck] = [
                .preview(preview, name: file.name), .picture(composed.size ?? 0, name: composed.name),
            ]
            return Attachment(
                content: .media(AttachedMedia(preview: preview, file: composed)), limits: limits, note: note)
        } catch let error as MediaRulesError {
            throw error.naming(path.string)
        }
    }

    private func file(
        of picture: PreparedPicture, _ path: FilePath, _ file: MediaFile
    ) throws -> (ComposedFile, AttachmentNote?) {
        // The rest of an animation would be lost.
        guard !picture.isAnimated else { return (ComposedFile(path, file), nil) }
        guard let folder, let prepared = picture.file else {
            return (ComposedFile(path, file), AttachmentNote(unprepared: file.name))
        }
        let bytes = prepared.bytes
        let written = try write(bytes, as: "\(path.stem ?? "picture").\(prepared.suffix)", in: folder)
        return (
            ComposedFile(path: written.absolute.string, size: Int64(bytes.count), isTemporary: true), nil
        )
    }

    /// Never over another file: the name gets a number. It has the name only once it is whole.
    private func write(_ bytes: [UInt8], as name: String, in folder: FilePath) throws -> FilePath {
        let fileSystem = FileSystem()
        try fileSystem.makeDirectories(folder)
        let wanted = folder.appending(name)
        let partial = wanted.appendingSuffix(".partial")
        try fileSystem.replace(partial, with: bytes)
        for number in 0..<Self.mostTwins {
            let suffix = number == 0 ? "" : "_\(number)"
            let path = folder.appending("\(wanted.stem ?? name)\(suffix).\(wanted.extension ?? "")")
            // That of an earlier call.
            if (try? fileSystem.contents(of: path, limit: bytes.count)) == bytes {
                try fileSystem.remove(partial)
                return path
            }
            guard try rename(partial, to: path) else { continue }
            try fileSystem.synchronizeDirectory(folder)
            return path
        }
        try? fileSystem.remove(partial)
        throw FileError(.alreadyExists, "\(Self.mostTwins) files have this name already", wanted)
    }

    /// - Returns: false where something has that name.
    private func rename(_ partial: FilePath, to path: FilePath) throws(FileError) -> Bool {
        do throws(FileError) {
            try FileSystem().renameExclusively(partial, to: path)
            return true
        } catch {
            guard error.code == .alreadyExists else { throw error }
            return false
        }
    }

    private static let mostTwins = 1000

    // MARK: Films

    private func film(
        _ path: FilePath, _ file: MediaFile, _ checkpoint: () throws -> Void
    ) throws -> Attachment {
        guard let format = file.format else {
            throw MediaRulesError(
                .unsupported,
                "the format of this video is not known, so it has no preview; it can go as a file",
                subject: path.string)
        }
        let poster: FilmTool.Poster
        do {
            poster = try FilmTool.poster(of: path, format, by: pictures, checkpoint: checkpoint)
        } catch let error as MediaRulesError {
            throw error.naming(path.string)
        }
        let preview = poster.picture.preview
        let seconds = file.duration ?? poster.seconds ?? 0
        return Attachment(
            content: .media(
                AttachedMedia(
                    preview: preview, seconds: Int(min(seconds, MP4Outline.longest).rounded()),
                    file: ComposedFile(path, file))),
            limits: [.preview(preview, name: file.name), .file(file)], note: nil)
    }
}

extension ComposedFile {
    /// A file of the user's own.
    fileprivate init(_ path: FilePath, _ file: MediaFile) {
        self.init(path: path.absolute.string, name: file.name, size: file.size)
    }
}

extension FilePath {
    /// Whoever sends the message runs elsewhere.
    fileprivate var absolute: FilePath {
        guard isRelative, let current = try? FileSystem().resolve(".") else { return self }
        return current.pushing(self).lexicallyNormalized()
    }
}

/// A voice message from a file.
struct PreparedVoice: Sendable {
    let file: ComposedFile
    let seconds: Double
    /// The loudest moment of each part, from 0 to 100; nil where nobody could look.
    let waveform: [Int]?
    let note: AttachmentNote?

    /// - Throws: `FileError`; `MediaRulesError`: `unsupported` for what is no M4A, `damaged` where it does not say how long it is.
    init(_ path: FilePath) throws {
        let media = try MediaFile(path)
        guard media.kind == .voice, let format = media.format, format.hasBoxes else {
            throw MediaRulesError(
                .unsupported, "a voice message is an M4A with sound only", subject: path.string)
        }
        if let defect = media.defect { throw defect }
        guard let seconds = media.duration else {
            throw MediaRulesError(.damaged, "the file does not say how long it is", subject: path.string)
        }
        self.seconds = seconds
        file = ComposedFile(path, media)
        do {
            (waveform, note) = (try FilmTool.waveform(of: path, format), nil)
        } catch let error as MediaRulesError {
            (waveform, note) = (nil, AttachmentNote(withoutWaveform: media.name, error))
        }
    }
}

/// What there is to say of a file that is attached.
package struct AttachmentNote: OperationNote {
    package let text: String

    init(unprepared name: String) {
        text = "\(name) goes as it is, with all that its file says, such as the place where it was taken"
    }

    init(withoutWaveform name: String, _ error: MediaRulesError) {
        text = "no waveform of \(name): \(error.message)"
    }
}
