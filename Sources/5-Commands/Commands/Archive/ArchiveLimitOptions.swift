import ArgumentParser
import Valise

/// Limits for unpacking.
struct ArchiveLimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Maximum unpacked size of the archive, such as 20GB.", valueName: "size"))
    var maxSize: SizeArgument?

    @OptionGroup var ratio: ArchiveRatioOption

    func validate() throws {
        guard maxSize?.bytes ?? 1 > 0 else { throw ValidationError("--max-size must be greater than 0") }
    }

    var limits: ZipLimits { ZipLimits(totalSize: maxSize?.bytes ?? .max, ratio: ratio.maxRatio) }
}

/// The limit for one entry, also where nothing is unpacked to disk.
struct ArchiveRatioOption: ParsableArguments {
    @Option(help: "Maximum ratio of unpacked to packed size, for large entries.")
    var maxRatio: Int64 = 200

    func validate() throws {
        guard maxRatio > 0 else { throw ValidationError("--max-ratio must be greater than 0") }
    }
}
