import ValiseArchives

/// Archives of anybody's.
enum ZipFuzzing {
    nonisolated(unsafe) private static let target = ZipTarget()

    static func run(_ bytes: [UInt8]) { target.run(bytes) }
}
