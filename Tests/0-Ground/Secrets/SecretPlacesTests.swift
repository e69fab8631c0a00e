import Testing
import ValiseSecrets

struct SecretPlacesTests {
    @Test func `places are apart, aligned, and empty for the next owner`() throws {
        let places = SecretPlaces(byteCount: 320, capacity: 64)
        var taken: [SecretPlace] = []
        for number in 0..<200 {
            let place = try places.take()
            #expect(place.bytes.allSatisfy { $0 == 0 })
            #expect(UInt(bitPattern: place.bytes.baseAddress) % 64 == 0)
            for index in place.bytes.indices { place.bytes[index] = UInt8(number % 251) }
            taken.append(place)
        }
        for (number, place) in taken.enumerated() {
            #expect(place.bytes.count == 320 && place.bytes.allSatisfy { $0 == UInt8(number % 251) })
        }
        for place in taken { places.release(place) }
        for _ in taken { #expect(try places.take().bytes.allSatisfy { $0 == 0 }) }
    }
}
