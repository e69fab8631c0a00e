import ArgumentParser
import Valise

/// Limits for unpacking.
struct ArchiveLimitOptions: ParsableArguments {
    @Option(help: "Maximum unpacked size of the archive, in bytes.")
    var maxSize: Int64?

    @OptionGroup var ratio: ArchiveRatioOption

    func validate() throws {
        guard maxSize ?? 1 > 0 else { throw ValidationError("--max-size must be greater than 0.") }
    }

    var limits: ZipLimits { ZipLimits(totalSize: maxSize ?? .max, ratio: ratio.maxRatio) }
}

/// The limit for one entry, also where nothing is unpacked to disk.
struct ArchiveRatioOption: ParsableArguments {
    @Option(help: "Maximum ratio of unpacked to packed size, for large entries.")
    var maxRatio: Int64 = 200

    func validate() throws {
        guard maxRatio > 0 else { throw ValidationError("--max-ratio must be greater than 0.") }
    }
}
