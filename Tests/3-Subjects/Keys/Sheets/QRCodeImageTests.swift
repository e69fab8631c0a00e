import FaultInjection
import Foundation
import SystemPackage
import Testing
import ValiseFiles
import ValiseKeys
import ValiseSecrets

/// What a camera sees of a code on a screen: zbar reads the PNG, the SVG as librsvg draws it, and the lines of a
/// terminal as a picture.
@Suite(.enabled(if: Tool.allAreThere, "needs Scripts/setup.sh --with-test-tools"))
struct QRCodeImageTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let link =
        "simplex:/file#/?desc=chunkSize%3A%2064kb%0Adigest%3A%20"
        + String(repeating: "aB3-_", count: 150) + "%3D%3D&data=%7B%22networkConfig%22%3A%7B%7D%7D"

    private static let contents: [String] =
        [link, "a", "simplex:/file#/?desc=\u{e4}", String(repeating: "x", count: 1002)]
        + [25, 107, 858, 859, 2953].map { String(repeating: "link", count: $0).prefix($0) + "" }

    private func file(_ content: String, _ format: QRCodeImage.Format) throws -> FilePath {
        let image = try QRCodeImage.draw(try SecretBytes(copying: Array(content.utf8)), as: format)
        let path = folder.appending("code.\(format.rawValue)")
        try FileSystem().replace(path, with: image.withBytes { Array($0) })
        return path
    }

    private func scanned(_ picture: FilePath) throws -> String {
        let bytes = try Tool.run(
            "zbarimg",
            [
                "--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary",
                picture.string,
            ])
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: contents) func `the image is read as what it was made of`(content: String) throws {
        #expect(try scanned(file(content, .png)) == content)
        let svg = try file(content, .svg)
        let drawn = folder.appending("drawn.png")
        try Tool.run("rsvg-convert", [svg.string, "-o", drawn.string])
        #expect(try scanned(drawn) == content)
    }

    @Test func `python reads the PNG: two colours, a quiet zone of four modules, square`() throws {
        let png = try file(Self.link, .png)
        let program = """
            import struct, sys, zlib
            data = open(sys.argv[1], 'rb').read()
            assert data[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
            place, chunks = 8, []
            while place < len(data):
                size, = struct.unpack('>I', data[place:place + 4])
                body = data[place + 4:place + 8 + size]
                assert struct.unpack('>I', data[place + 8 + size:place + 12 + size])[0] == zlib.crc32(body)
                chunks.append((body[:4], body[4:]))
                place += 12 + size
            assert [name for name, _ in chunks] == [b'IHDR', b'IDAT', b'IEND']
            width, height, *rest = struct.unpack('>IIBBBBB', chunks[0][1])
            assert rest == [1, 0, 0, 0, 0] and width == height and width % 6 == 0
            pixels = zlib.decompress(chunks[1][1])
            size = 1 + (width + 7) // 8
            assert len(pixels) == height * size
            lines = [pixels[i * size + 1:(i + 1) * size] for i in range(height)]
            assert all(pixels[i * size] == 0 for i in range(height))
            dark = [[(line[x // 8] >> (7 - x % 8)) & 1 == 0 for x in range(width)] for line in lines]
            assert not any(any(row) for row in dark[:24] + dark[-24:])
            assert not any(any(row[:24] + row[-24:]) for row in dark)
            assert dark[24][24] and dark[24][24 + 41] and not dark[24][24 + 42]
            print(len(data))
            """
        let size = String(decoding: try Tool.run("python3", ["-c", program, png.string]), as: UTF8.self)
        #expect(Int(size.trimmingCharacters(in: .whitespacesAndNewlines)).map { $0 < 8192 } == true)
    }

    @Test(arguments: contents.prefix(4)) func `the lines of a terminal are read as what they were made of`(
        content: String
    ) throws {
        let lines = try QRCodeText.lines(try SecretBytes(copying: Array(content.utf8)))
        let picture = folder.appending("terminal.pbm")
        try FileSystem().replace(picture, with: Array(try Raster(lines).bitmap(scale: 4).utf8))
        #expect(try scanned(picture) == content)
        #expect(QRCodeText.columns(of: lines) == (try Raster(lines)).width)
    }

    @Test func `what no code holds is refused`() throws {
        let long = try SecretBytes(copying: [UInt8](repeating: 97, count: 2954))
        for format in QRCodeImage.Format.allCases {
            #expect(throws: RecoverySheetError.self) { _ = try QRCodeImage.draw(long, as: format) }
        }
        #expect(throws: RecoverySheetError.self) { _ = try QRCodeText.lines(long) }
    }
}
