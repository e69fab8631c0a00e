import SystemPackage
import ValiseEncoding
import ValiseFailures
import ValiseMediaRules

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The work of a process that reads one picture and ends.
///
/// Readers of pictures are large, and what a stranger sends is made for their faults: libvips ends its process where it finds its own
/// state impossible. So the process has no secrets, and nothing is lost with it (decision 0066).
package enum PictureWork {
    /// What the answer begins with, on one line. The bytes of a file follow it.
    struct Answer: Codable {
        struct Picture: Codable {
            let preview: String
            let width: Int
            let height: Int
            let isAnimated: Bool
            let suffix: String?
        }

        enum Reason: String, Codable { case damaged, unsupported, failed, library }

        var picture: Picture?
        var reason: Reason?
        var message: String?
    }

    /// How much memory of its own the process may have: the largest picture that is held whole, and room beside it.
    private static let mostMemory: UInt64 = 768 << 20
    private static let mostSeconds: UInt64 = 60
    /// Of a file: libraries keep the code that they make for this processor in one.
    private static let mostWritten: UInt64 = 1 << 20

    /// Reads a picture from standard input, and writes what becomes of it to standard output.
    ///
    /// - Parameter arguments: the size of the file, and `file` where one is wanted.
    /// - Returns: the exit status.
    package static func run(_ arguments: [String]) -> Int32 {
        guard let size = arguments.first.flatMap({ Int64($0) }) else { return 64 }
        limit()
        var bytes = answer(size, wantsFile: arguments.dropFirst().first == "file")
        return unsafe bytes.withUnsafeMutableBytes { bytes in
            do {
                _ = try unsafe FileDescriptor.standardOutput.writeAll(UnsafeRawBufferPointer(bytes))
                return 0
            } catch {
                return 1
            }
        }
    }

    /// A fault ends with the process: it fills neither memory nor a disk.
    private static func limit() {
        #if os(Linux)
            let kinds = [
                (RLIMIT_DATA, mostMemory), (RLIMIT_CPU, mostSeconds), (RLIMIT_FSIZE, mostWritten),
                (RLIMIT_CORE, 0),
            ]
            for (kind, most) in kinds {
                var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
                unsafe setrlimit(__rlimit_resource_t(kind.rawValue), &limit)
            }
        #endif
    }

    private static func answer(_ size: Int64, wantsFile: Bool) -> [UInt8] {
        var answer = Answer()
        var file: [UInt8] = []
        do {
            let picture = try Picture(.standardInput, size: size)
            var suffix: String?
            if wantsFile, !picture.isAnimated { (file, suffix) = try picture.file() }
            answer.picture = Answer.Picture(
                preview: try picture.preview(), width: picture.width, height: picture.height,
                isAnimated: picture.isAnimated, suffix: suffix)
        } catch {
            answer.message = error.message
            answer.reason = error.remedy == .installLibvips ? .library : Answer.Reason(error.code)
        }
        // Texts and numbers can always be encoded.
        let text = (try? JSONText.encode(answer)) ?? ""
        return Array(text.utf8) + [UInt8(ascii: "\n")] + file
    }
}

extension PictureWork.Answer.Reason {
    fileprivate init(_ code: FailureCode) {
        switch code {
        case .damaged: self = .damaged
        case .unsupported: self = .unsupported
        default: self = .failed
        }
    }
}
