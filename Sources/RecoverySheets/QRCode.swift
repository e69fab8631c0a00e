import CPlatform
import CQREncode
import Failures
import Secrets
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A secret as a QR code: a square of dark and light modules.
///
/// The encoder does not wipe its memory, so it runs in a process of its own, which hands the modules over a
/// pipe and ends.
struct QRCode: ~Copyable {
    /// The most bytes that a code of the lowest correction holds.
    static let longest = 2953

    /// How many modules a side has.
    let width: Int
    private let modules: SecretBytes

    /// How much of a code may be hidden. What is too long for the medium one gets the lowest.
    enum Correction {
        /// A code on a screen: nothing covers it, and fewer modules are easier to show.
        case low
        /// A code on paper survives a fold or a stain.
        case medium
    }

    /// - Throws: ``RecoverySheetError``: `invalid` for more than ``longest`` bytes, `failed` when the encoder fails.
    init(_ secret: borrowing SecretBytes, _ correction: Correction = .medium) throws {
        guard secret.count <= Self.longest else {
            throw RecoverySheetError(
                .invalid, "a QR code holds \(Self.longest) bytes, and this has \(secret.count)")
        }
        // The widest code has 177 modules a side; one byte more shows that nothing was cut.
        let modules = try secret.withBytes { bytes in
            try Self.encodeInChild(Content(bytes: bytes, correction: correction), capacity: 177 * 177 + 1)
        }
        let width = Int(Double(modules.count).squareRoot())
        guard width >= 21, width * width == modules.count else {
            throw RecoverySheetError(.failed, "the QR code could not be made")
        }
        self.modules = modules
        self.width = width
    }

    /// Calls with each run of dark modules in a row, from the top.
    borrowing func forEachRun(_ body: (_ row: Int, _ start: Int, _ length: Int) -> Void) {
        for row in 0..<width {
            forEachRun(in: row) { body(row, $0, $1) }
        }
    }

    /// Calls with each run of dark modules in one row.
    borrowing func forEachRun(in row: Int, _ body: (_ start: Int, _ length: Int) -> Void) {
        let width = width
        modules.withBytes { modules in
            var column = 0
            while column < width {
                let start = column
                while column < width, modules[row * width + column] & 1 == 1 { column += 1 }
                if column > start { body(start, column - start) }
                column += 1
            }
        }
    }

    private struct Content {
        let bytes: UnsafeRawBufferPointer
        let correction: Correction
    }

    private static func encodeInChild(_ content: Content, capacity: Int) throws -> SecretBytes {
        var content = content
        var process: pid_t = 0
        let output = valise_in_child({ QRCode.encode($0, into: $1) }, &content, &process)
        guard output >= 0 else {
            throw RecoverySheetError(.failed, "no process for the QR code: \(Errno(rawValue: errno))")
        }
        let pipe = FileDescriptor(rawValue: output)
        defer {
            try? pipe.close()
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0, errno == EINTR {}
        }
        return try SecretBytes(capacity: capacity) { memory in
            var count = 0
            while count < memory.count {
                let got = try pipe.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[count...]))
                if got == 0 { break }
                count += got
            }
            return count
        }
    }

    /// In the child: one byte for each module, or nothing on failure.
    private static func encode(_ context: UnsafeMutableRawPointer?, into output: Int32) {
        guard let content = context?.assumingMemoryBound(to: Content.self).pointee else { return }
        let count = Int32(content.bytes.count)
        let start = content.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let first = content.correction == .low ? QR_ECLEVEL_L : QR_ECLEVEL_M
        guard
            let code = QRcode_encodeData(count, start, 0, first)
                ?? QRcode_encodeData(count, start, 0, QR_ECLEVEL_L)
        else { return }
        let modules = Int(code.pointee.width * code.pointee.width)
        _ = try? FileDescriptor(rawValue: output).writeAll(
            UnsafeRawBufferPointer(start: code.pointee.data, count: modules))
    }
}
