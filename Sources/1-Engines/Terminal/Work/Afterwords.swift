import Synchronization

/// Lines that belong below the failure that ends the program, although they are known before that is shown.
package enum Afterwords {
    private static let lines = Mutex<[String]>([])

    package static func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Those that were not taken yet.
    package static func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
