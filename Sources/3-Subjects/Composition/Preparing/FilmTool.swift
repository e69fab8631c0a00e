package import SystemPackage
import ValiseFailures
import ValiseFiles
package import ValiseMediaRules

/// What ffmpeg says of films and of sound, where it is installed. It runs as another program: what a file makes of it cannot reach
/// this one.
package enum FilmTool {
    /// The first frame of a film.
    package struct Poster {
        package let picture: PreparedPicture
        /// Nil where the file does not say.
        package let seconds: Double?
    }

    /// How long one question may take.
    private static let time = Duration.seconds(20)
    /// A frame of 8K as PNG has a hundred megabytes at most, and usually a tenth.
    private static let mostFrame = 128 << 20

    /// The first frame of a film, upright, and how long the film is.
    ///
    /// - Parameters:
    ///   - path: of the film.
    ///   - format: which it is; nothing else is tried, so that no list of other files is taken for a film.
    ///   - preparer: reads the frame.
    ///   - checkpoint: throws to stop.
    /// - Throws: `MediaRulesError`: `unsupported` for a format that it is not asked about, `damaged` where it finds no frame, `failed`
    ///   where it is not installed; whatever the checkpoint throws.
    package static func poster(
        of path: FilePath, _ format: MediaFormat, by preparer: PicturePreparer,
        checkpoint: () throws -> Void = {}
    ) throws -> Poster {
        let input = try Self.input(path, format)
        let wanted = ["-map", "0:v:0", "-frames:v", "1", "-c:v", "png", "-f", "image2pipe", "pipe:1"]
        guard let frame = try run("ffmpeg", input + wanted, upTo: mostFrame, checkpoint), !frame.isEmpty
        else {
            throw MediaRulesError(.damaged, "ffmpeg finds no picture in it", subject: path.string)
        }
        let picture: PreparedPicture
        do {
            picture = try preparer.prepare(frame, checkpoint: checkpoint)
        } catch let error as MediaRulesError {
            throw error.naming(path.string)
        }
        let question = ["-show_entries", "format=duration", "-of", "default=nw=1:nk=1"]
        let answer = try run("ffprobe", input + question, upTo: 1 << 10, checkpoint) ?? []
        let text = String(decoding: answer, as: UTF8.self).split(separator: "\n").first.map(String.init)
        return Poster(picture: picture, seconds: text.flatMap(Double.init))
    }

    /// How loud a sound is, from beginning to end.
    ///
    /// - Parameters:
    ///   - path: of the sound.
    ///   - format: as for a film.
    ///   - count: of how many parts.
    ///   - checkpoint: throws to stop.
    /// - Returns: the loudest moment of each part, from 0 to 100; fewer for a sound that is shorter than so many moments.
    /// - Throws: as ``poster(of:_:by:checkpoint:)``.
    package static func waveform(
        of path: FilePath, _ format: MediaFormat, count: Int = 100, checkpoint: () throws -> Void = {}
    ) throws -> [Int] {
        let wanted = ["-map", "0:a:0", "-ac", "1", "-ar", "\(sampleRate)"]
        // The rest of a sound that is too long is not looked at.
        let end = ["-t", "\(MediaLimits.voiceSeconds)", "-f", "s16le", "pipe:1"]
        let most = sampleRate * 2 * (MediaLimits.voiceSeconds + 2)
        guard let sound = try run("ffmpeg", input(path, format) + wanted + end, upTo: most, checkpoint),
            !sound.isEmpty
        else {
            throw MediaRulesError(.damaged, "ffmpeg finds no sound in it", subject: path.string)
        }
        return peaks(sound, count: count)
    }

    /// In hertz: enough to see how loud it is.
    private static let sampleRate = 4000

    /// - Parameter sound: samples of two bytes, the lower one first.
    static func peaks(_ sound: [UInt8], count: Int) -> [Int] {
        let samples = sound.count / 2
        let parts = min(count, samples)
        return (0..<parts).map { part in
            let range = samples * part / parts..<samples * (part + 1) / parts
            let peak = range.reduce(into: 0) { peak, place in
                let bits = UInt16(sound[2 * place]) | UInt16(sound[2 * place + 1]) << 8
                peak = max(peak, abs(Int(Int16(bitPattern: bits))))
            }
            return min(100, (peak * 100 + 16_384) / 32_768)
        }
    }

    private static func input(_ path: FilePath, _ format: MediaFormat) throws(MediaRulesError) -> [String] {
        let reader =
            switch format {
            case .mp4, .quickTime, .m4a: "mov"
            case .webm, .matroska: "matroska"
            case .avi: "avi"
            default:
                throw MediaRulesError(
                    .unsupported, "\(format.rawValue) is not prepared as a video", subject: path.string)
            }
        return [
            "-v", "error", "-protocol_whitelist", "file,pipe", "-f", reader, "-i", "file:\(path.string)",
        ]
    }

    private static func run(
        _ program: String, _ arguments: [String], upTo most: Int, _ checkpoint: () throws -> Void
    ) throws -> [UInt8]? {
        do {
            return try ChildProcess.output(
                of: program, arguments, upTo: most, within: time, checkpoint: checkpoint)
        } catch let error as Errno where error == .noSuchFileOrDirectory {
            throw MediaRulesError(
                .failed, "not prepared: \(program) is not installed", remedy: .installFfmpeg)
        }
    }
}
