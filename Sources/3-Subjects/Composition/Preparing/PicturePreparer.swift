package import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseFiles
import ValiseMediaRules

/// Has pictures prepared by a process of their own, see ``PictureWork``.
package struct PicturePreparer: Sendable {
    /// The program and what it is given before the arguments of ``PictureWork``.
    private let command: [String]

    /// - Parameter command: a program that runs ``PictureWork``, and its first arguments.
    package init(command: [String]) { self.command = command }

    /// How long one picture may take, until its process is ended.
    private static let time = Duration.seconds(30)
    /// A preview and a file, with room.
    private static let mostAnswer = 1 << 20

    /// Prepares a picture: JPEG, PNG, GIF, WebP, HEIC, AVIF.
    ///
    /// - Parameters:
    ///   - file: is read from its position to its end.
    ///   - size: of the file in bytes.
    ///   - wantsFile: whether the picture is wanted as a file too.
    ///   - checkpoint: throws to stop.
    /// - Throws: `MediaRulesError`: `damaged` for what is no whole picture, `unsupported` for too many pixels, `failed` where it takes
    ///   too long, or libvips cannot be loaded; whatever the checkpoint throws.
    package func prepare(
        _ file: FileDescriptor, size: Int64, wantsFile: Bool = false, checkpoint: () throws -> Void = {}
    ) throws -> PreparedPicture {
        try prepare(.descriptor(file), size: size, wantsFile: wantsFile, checkpoint)
    }

    /// Prepares a picture in memory.
    /// - Throws: as `prepare(_:size:wantsFile:checkpoint:)`.
    package func prepare(_ bytes: [UInt8], checkpoint: () throws -> Void = {}) throws -> PreparedPicture {
        try prepare(.bytes(bytes), size: Int64(bytes.count), wantsFile: false, checkpoint)
    }

    private func prepare(
        _ input: ChildProcess.Input, size: Int64, wantsFile: Bool, _ checkpoint: () throws -> Void
    ) throws -> PreparedPicture {
        guard size > 0 else { throw MediaRulesError(.damaged, "the file is empty") }
        let arguments = command.dropFirst() + ["\(size)"] + (wantsFile ? ["file"] : [])
        let output: [UInt8]?
        do {
            output = try ChildProcess.output(
                of: command[0], Array(arguments), input: input, upTo: Self.mostAnswer, within: Self.time,
                checkpoint: checkpoint)
        } catch let error as Errno {
            throw MediaRulesError(.failed, "the process that reads pictures cannot be started: \(error)")
        }
        guard let output, let end = output.firstIndex(of: UInt8(ascii: "\n")),
            let answer = try? JSONText.decode(PictureWork.Answer.self, from: Array(output[..<end]))
        else { throw MediaRulesError(.damaged, "not a whole picture: its reader stopped in the middle") }
        return try Self.picture(answer, file: Array(output[(end + 1)...]))
    }

    private static func picture(
        _ answer: PictureWork.Answer, file: [UInt8]
    ) throws(MediaRulesError) -> PreparedPicture {
        if let picture = answer.picture {
            return PreparedPicture(
                preview: picture.preview, width: picture.width, height: picture.height,
                isAnimated: picture.isAnimated,
                file: picture.suffix.map { PreparedPicture.File(bytes: file, suffix: $0) })
        }
        let message = answer.message ?? "the picture cannot be read"
        switch answer.reason {
        case .unsupported: throw MediaRulesError(.unsupported, message)
        case .library: throw MediaRulesError(.failed, message, remedy: .installLibvips)
        case .failed: throw MediaRulesError(.failed, message)
        case .damaged, nil: throw MediaRulesError(.damaged, message)
        }
    }
}
