import ValiseFailures
import ValiseSecrets

/// A secret as a QR code: a square of dark and light modules.
///
/// Everything that depends on the secret is in guarded memory, which is wiped.
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

    /// - Throws: ``RecoverySheetError``: `invalid` for more than ``longest`` bytes, `SecretsError`.
    init(_ secret: borrowing SecretBytes, _ correction: Correction = .medium) throws {
        guard secret.count <= Self.longest else {
            throw RecoverySheetError(
                .invalid, "a QR code can hold \(Self.longest) bytes, but this has \(secret.count)")
        }
        guard
            let version = (correction == .low ? nil : QRCodeVersion(bytes: secret.count, .medium))
                ?? QRCodeVersion(bytes: secret.count, .low)
        else { throw RecoverySheetError(.failed, "cannot create the QR code") }
        let codewords = QRCodewords(version)
        let drawn = try unsafe SecretBytes(capacity: codewords.workspace) { memory in
            unsafe secret.withBytes { unsafe codewords.write($0, to: memory) }
            return version.codewords
        }
        let modules = try unsafe SecretBytes(capacity: version.width * version.width) { memory in
            unsafe drawn.withBytes { unsafe QRCodeCanvas(version, memory).draw($0) }
            return memory.count
        }
        self.modules = modules
        width = version.width
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
        unsafe modules.withBytes { modules in
            var column = 0
            while column < width {
                let start = column
                while column < width, unsafe modules[row * width + column] & 1 == 1 { column += 1 }
                if column > start { body(start, column - start) }
                column += 1
            }
        }
    }
}
